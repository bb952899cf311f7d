/**
 * The page's end of the wire: asks the worker and waits for the answer.
 *
 * Invariant: each question is answered once. When the worker dies, every open question is answered
 * with `broken`, and the next question starts a new worker, which is told the texts first.
 */
import type { Answer, Envelope, Question, Reply } from './protocol.ts';

/** Makes a worker; a parameter, so that tests need no browser. */
export type Spawn = () => Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly progress: (states: number) => void;
}

/** Asks the engine. */
export class Client {
  readonly #spawn: Spawn;
  readonly #open = new Map<number, Waiting>();
  #worker: ReturnType<Spawn> | null = null;
  #texts: Readonly<Record<string, string>> | null = null;
  #lastId = 0;

  constructor(spawn: Spawn) {
    this.#spawn = spawn;
  }

  /** Starts the engine before there is anything to ask, so that it is ready sooner. */
  warm(): void {
    this.#worker ??= this.#start();
  }

  /** The texts of a language: an engine that has spoken another one starts anew. */
  speak(texts: Readonly<Record<string, string>>): void {
    if (this.#texts !== null) this.stop();
    this.#texts = texts;
    if (this.#worker !== null) void this.#send(this.#worker, { kind: 'texts', texts }, () => undefined);
  }

  /** Never rejects: what goes wrong comes back as `broken`. */
  ask(question: Question, progress: (states: number) => void = () => undefined): Promise<Answer> {
    this.#worker ??= this.#start();
    return this.#send(this.#worker, question, progress);
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#fail('stopped');
  }

  #send(worker: ReturnType<Spawn>, question: Question, progress: (states: number) => void): Promise<Answer> {
    const id = ++this.#lastId;
    const envelope: Envelope = { id, question };
    const answer = new Promise<Answer>((resolve) => this.#open.set(id, { resolve, progress }));
    worker.postMessage(envelope);
    return answer;
  }

  #start(): ReturnType<Spawn> {
    const worker = this.#spawn();
    // What an old worker still says is of no interest.
    const isPresent = (): boolean => this.#worker === worker;
    worker.addEventListener('message', (event) => isPresent() && this.#receive((event as MessageEvent<Reply>).data));
    worker.addEventListener('error', (event) => isPresent() && this.#fail(event.message));
    if (this.#texts !== null) void this.#send(worker, { kind: 'texts', texts: this.#texts }, () => undefined);
    return worker;
  }

  #receive(reply: Reply): void {
    if ('states' in reply) {
      this.#open.get(reply.id)?.progress(reply.states);
      return;
    }
    this.#open.get(reply.id)?.resolve(reply.answer);
    this.#open.delete(reply.id);
    if (reply.answer.kind === 'broken') this.#fail(reply.answer.message);
  }

  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { resolve } of this.#open.values()) resolve({ kind: 'broken', message });
    this.#open.clear();
  }
}
