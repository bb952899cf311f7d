/**
 * The page's end of the wire: asks the worker and waits for the answer.
 *
 * Invariant: each question is answered once. When the worker dies, every open question is answered
 * with `broken`, and the next question starts a new worker.
 */
import type { Answer, Envelope, Question, Reply } from './protocol.ts';

/** Makes a worker; a parameter, so that tests need no browser. */
export type Spawn = () => Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/** Asks the engine. */
export class Client {
  readonly #spawn: Spawn;
  readonly #open = new Map<number, (answer: Answer) => void>();
  #worker: ReturnType<Spawn> | null = null;
  #lastId = 0;

  constructor(spawn: Spawn) {
    this.#spawn = spawn;
  }

  /** Never rejects: what goes wrong comes back as `broken`. */
  ask(question: Question): Promise<Answer> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const envelope: Envelope = { id, question };
    const answer = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    this.#worker.postMessage(envelope);
    return answer;
  }

  #start(): ReturnType<Spawn> {
    const worker = this.#spawn();
    worker.addEventListener('message', (event) => this.#receive((event as MessageEvent<Reply>).data));
    worker.addEventListener('error', (event) => this.#fail(event.message));
    return worker;
  }

  #receive(reply: Reply): void {
    this.#open.get(reply.id)?.(reply.answer);
    this.#open.delete(reply.id);
    if (reply.answer.kind === 'broken') this.#fail(reply.answer.message);
  }

  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const resolve of this.#open.values()) resolve({ kind: 'broken', message });
    this.#open.clear();
  }
}
