/** The wire to the worker: every question is answered once, whatever happens to the worker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../src/engine/client.ts';
import type { Envelope, Reply } from '../src/engine/protocol.ts';

/** A worker that keeps what it was asked; the test answers. */
class Wire {
  readonly asked: Envelope[] = [];
  terminated = false;
  readonly #listeners = new Map<string, (event: never) => void>();

  postMessage(message: unknown): void {
    this.asked.push(message as Envelope);
  }

  terminate(): void {
    this.terminated = true;
  }

  addEventListener(kind: string, listener: (event: never) => void): void {
    this.#listeners.set(kind, listener);
  }

  reply(reply: Reply): void {
    this.#listeners.get('message')?.({ data: reply } as never);
  }

  die(message: string): void {
    this.#listeners.get('error')?.({ message } as never);
  }
}

function wired(): { client: Client; wires: Wire[] } {
  const wires: Wire[] = [];
  const client = new Client(() => {
    const wire = new Wire();
    wires.push(wire);
    return wire as never;
  });
  return { client, wires };
}

test('answers find their question by id, in any order', async () => {
  const { client, wires } = wired();
  const first = client.ask({ kind: 'step' });
  const second = client.ask({ kind: 'stepBack' });
  const ids = wires[0]?.asked.map((one) => one.id) ?? [];
  wires[0]?.reply({ id: ids[1] ?? 0, answer: { kind: 'refused', why: 'second' } });
  wires[0]?.reply({ id: ids[0] ?? 0, answer: { kind: 'refused', why: 'first' } });
  assert.deepEqual(await Promise.all([first, second]), [
    { kind: 'refused', why: 'first' },
    { kind: 'refused', why: 'second' },
  ]);
});

test('when the worker dies, all that waits is answered, and a new one starts', async () => {
  const { client, wires } = wired();
  const waiting = [client.ask({ kind: 'step' }), client.ask({ kind: 'step' })];
  wires[0]?.die('unreachable');
  assert.deepEqual(await Promise.all(waiting), Array(2).fill({ kind: 'broken', message: 'unreachable' }));
  assert.equal(wires[0]?.terminated, true);
  void client.ask({ kind: 'step' });
  assert.equal(wires.length, 2);
});

test('a broken engine takes its worker with it', async () => {
  const { client, wires } = wired();
  const waiting = client.ask({ kind: 'step' });
  wires[0]?.reply({ id: wires[0].asked[0]?.id ?? 0, answer: { kind: 'broken', message: 'panic' } });
  assert.deepEqual(await waiting, { kind: 'broken', message: 'panic' });
  assert.equal(wires[0]?.terminated, true);
});
