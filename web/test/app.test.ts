/** The page at work: what it asks the engine, and which answers it takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from '../src/app.ts';
import { Client } from '../src/engine/client.ts';
import type { Answer, Envelope } from '../src/engine/protocol.ts';
import { initialState } from '../src/model/state.ts';
import { Pace } from '../src/pace.ts';
import { frame, past, pod } from './fixture.ts';

/** Time that passes when the test says so. */
class Hand extends Pace {
  readonly waits = new Map<string, () => void>();

  override later(name: string, _milliseconds: number, then: () => void): void {
    this.waits.set(name, then);
  }

  override cancel(name: string): void {
    this.waits.delete(name);
  }

  async pass(name: string): Promise<void> {
    const then = this.waits.get(name);
    this.waits.delete(name);
    then?.();
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function page() {
  const asked: Envelope[] = [];
  let listen: (event: { data: unknown }) => void = () => undefined;
  const client = new Client(() => ({
    postMessage: (message: unknown) => void asked.push(message as Envelope),
    terminate: () => undefined,
    addEventListener: (kind: string, listener: unknown) => {
      if (kind === 'message') listen = listener as typeof listen;
    },
  }));
  const client2 = new Client(() => ({ postMessage: () => undefined, terminate: () => undefined, addEventListener: () => undefined }));
  const pace = new Hand();
  const presets = ['a', 'b', 'c'].map((id) => ({ id, group: '', text: `text of ${id}`, outcomes: '', at: { step: 0, write: 0 } }));
  const app = new App(initialState('a', 'text of a', ''), presets, { main: client, explorer: client2 }, pace, () => undefined);
  const answer = async (place: number, reply: Answer): Promise<void> => {
    listen({ data: { id: asked.at(place)?.id, answer: reply } });
    await settled();
  };
  return { app, asked, pace, answer };
}

const at = (step: number, ended = false): Answer => ({
  kind: 'frame',
  frame: frame({ step, past: past(step), ended: ended ? { kind: 'complete', text: 'Complete.' } : null }),
  write: 0,
  diagnostics: [],
});

/** The decision that the page shows. */
function shown(app: App): number | undefined {
  return app.state.frame?.step;
}

test('typing waits for a rest, and asks once', async () => {
  const { app, asked, pace } = page();
  app.edit('x');
  app.edit('xy');
  assert.equal(asked.length, 0);
  await pace.pass('load');
  assert.equal(asked.length, 1);
  assert.deepEqual(asked[0]?.question, {
    kind: 'load',
    source: { text: 'xy', outcomes: '', seed: 1 },
    deeds: [],
    at: { step: 0, write: 0 },
  });
});

test('the answer to an older text is dropped', async () => {
  const { app, answer } = page();
  void app.load();
  app.choose('b');
  await answer(0, at(5));
  assert.equal(shown(app), undefined);
  await answer(1, at(0));
  assert.equal(shown(app), 0);
});

test('a move that was asked before another text came is dropped', async () => {
  const { app, answer } = page();
  void app.load();
  await answer(0, at(0));
  void app.step();
  app.choose('b');
  await answer(2, at(0));
  await answer(1, at(1));
  assert.equal(shown(app), 0);
});

test('playing goes on until the end', async () => {
  const { app, asked, pace, answer } = page();
  void app.load();
  await answer(0, at(0));
  app.togglePlay();
  await answer(1, at(1));
  assert.equal(pace.waits.has('play'), true);
  await pace.pass('play');
  await answer(2, at(2, true));
  assert.equal(app.state.playing, false);
  assert.equal(pace.waits.has('play'), false);
  assert.equal(asked.length, 3);
});

test('going back pauses', async () => {
  const { app, pace, answer } = page();
  void app.load();
  await answer(0, at(0));
  app.togglePlay();
  await answer(1, at(1));
  void app.back();
  assert.equal(app.state.playing, false);
  assert.equal(pace.waits.has('play'), false);
});

test('before the first good text there is nothing to step', async () => {
  const { app, asked } = page();
  await app.step();
  assert.equal(asked.length, 0);
});

test('the presets go round at both ends', () => {
  const { app } = page();
  app.chooseNext(-1);
  assert.equal(app.state.preset, 'c');
  app.chooseNext(1);
  assert.equal(app.state.preset, 'a');
  assert.equal(app.state.text, 'text of a');
});

test('a deed names its pod by the order of creation, and undo plays the session without it', async () => {
  const { app, asked, answer } = page();
  void app.load();
  await answer(0, { ...at(2), frame: frame({ step: 2, past: past(2), pods: [pod({ name: 'x' }), pod({ name: 'y' })] }) } as Answer);
  void app.inject('y', 'fail', 3);
  await settled();
  const act = { kind: 'pod', pod: 2, action: 'fail', exitCode: 3 };
  assert.deepEqual(asked[1]?.question, { kind: 'do', act, at: null });
  await answer(1, at(2));
  assert.deepEqual(app.state.deeds.map((deed) => [deed.at, deed.act]), [[{ step: 2, write: 0 }, act]]);
  void app.undo();
  const question = asked[2]?.question;
  assert.deepEqual([question?.kind, question?.kind === 'load' && question.deeds, question?.kind === 'load' && question.at], ['load', [], { step: 2, write: 0 }]);
});

test('a branch that is switched to plays its own deeds', async () => {
  const { app, asked, answer } = page();
  void app.load();
  await answer(0, at(1));
  app.fork();
  void app.crash();
  await answer(1, at(1));
  assert.equal(app.state.deeds.length, 1);
  void app.switchBranch();
  const question = asked[2]?.question;
  assert.deepEqual(question?.kind === 'load' && question.deeds, []);
  await answer(2, at(1));
  assert.deepEqual([app.state.branch, app.state.other?.name, app.state.other?.deeds.length], ['A', 'B', 1]);
});
