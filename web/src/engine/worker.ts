/**
 * The worker that holds the engine: one session, one question at a time.
 *
 * Invariant: the session in hand is always a good one; a manifest that cannot be played leaves it as
 * it was. Nothing here knows what a Job is.
 */
import init, { outcomesProblem, Session, validate } from '../gen/wasm/jobwright_wasm.js';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Frame } from '../gen/Frame.ts';
import type { Answer, Envelope, Question, Reply, Source } from './protocol.ts';

const ready = init();
let session: Session | null = null;

addEventListener('message', (event: MessageEvent<Envelope>) => {
  const { id, question } = event.data;
  void answer(question).then((reply) => postMessage({ id, answer: reply } satisfies Reply));
});

async function answer(question: Question): Promise<Answer> {
  try {
    await ready;
    return question.kind === 'load' ? load(question.source) : play(question);
  } catch (error) {
    return { kind: 'broken', message: error instanceof Error ? error.message : String(error) };
  }
}

function load(source: Source): Answer {
  const diagnostics = validate(source.text);
  const script = outcomesProblem(source.outcomes) ?? null;
  if (script !== null) return { kind: 'rejected', diagnostics, outcomesProblem: script };
  try {
    const next = new Session(source.text, source.outcomes, source.seed);
    session?.free();
    session = next;
    return { kind: 'frame', frame: next.frame(), diagnostics, explanation: next.explanation() };
  } catch (error) {
    if (!Array.isArray(error)) throw error;
    return { kind: 'rejected', diagnostics: error as Diagnostic[], outcomesProblem: null };
  }
}

function play(question: Exclude<Question, { kind: 'load' }>): Answer {
  if (session === null) throw new Error('no session');
  try {
    return { kind: 'frame', frame: move(session, question), diagnostics: [] };
  } catch (error) {
    const why = refusal(error);
    if (why === null) throw error;
    return { kind: 'refused', why };
  }
}

function move(on: Session, question: Exclude<Question, { kind: 'load' }>): Frame {
  switch (question.kind) {
    case 'step':
      return on.step();
    case 'stepBack':
      return on.stepBack();
    case 'seek':
      return on.seek(question.step);
    case 'inject':
      return on.inject(question.pod, question.action, question.exitCode ?? undefined);
  }
}

/** The engine refuses with `{why}`; anything else that is thrown is a fault. */
function refusal(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('why' in error)) return null;
  return typeof error.why === 'string' ? error.why : null;
}
