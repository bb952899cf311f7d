/**
 * The worker that holds the engine: one session, one question at a time.
 *
 * Invariant: the session in hand is always a good one; a manifest that cannot be played leaves it as
 * it was. Nothing here knows what a Job is.
 */
import init, { explore, fieldLines, outcomesProblem, Session, useTexts, validate } from '../gen/wasm/jobwright_wasm.js';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Frame } from '../gen/Frame.ts';
import type { Act, Place, Planned } from '../model/deed.ts';
import type { Answer, Envelope, Move, Question, Reply, Scope, Source } from './protocol.ts';

/** A peek at the end of a Job goes no further than this many decisions. */
const PEEK_LIMIT = 2_000;

const ready = init();
let session: Session | null = null;

addEventListener('message', (event: MessageEvent<Envelope>) => {
  const { id, question } = event.data;
  void answer(id, question).then((reply) => postMessage({ id, answer: reply } satisfies Reply));
});

async function answer(id: number, question: Question): Promise<Answer> {
  try {
    await ready;
    return respond(id, question);
  } catch (error) {
    return { kind: 'broken', message: error instanceof Error ? error.message : String(error) };
  }
}

function respond(id: number, question: Question): Answer {
  switch (question.kind) {
    case 'texts':
      useTexts(question.texts);
      return { kind: 'done' };
    case 'load':
      return load(question.source, question.deeds, question.at);
    case 'actions':
      return { kind: 'actions', actions: held().actions(question.pod) };
    case 'peek':
      return peek(held());
    case 'export':
      return { kind: 'exported', ...held().export(question.name) };
    case 'explore':
      return walk(id, question.text, question.scope);
    default:
      return play(held(), question);
  }
}

function held(): Session {
  if (session === null) throw new Error('no session');
  return session;
}

function load(source: Source, deeds: readonly Planned[], at: Place): Answer {
  const diagnostics = validate(source.text);
  const script = outcomesProblem(source.outcomes) ?? null;
  if (script !== null) return { kind: 'rejected', diagnostics, outcomesProblem: script };
  try {
    const next = new Session(source.text, source.outcomes, source.seed);
    session?.free();
    session = next;
  } catch (error) {
    if (!Array.isArray(error)) throw error;
    return { kind: 'rejected', diagnostics: error as Diagnostic[], outcomesProblem: null };
  }
  const done = deeds.flatMap((deed) => repeat(held(), deed));
  const explanation = held().explanation();
  const frame = held().seekWrite(at.step, at.write);
  return { kind: 'frame', frame, write: held().writesBehind(), diagnostics, explanation, lines: fieldLines(source.text), deeds: done };
}

/** A deed of another day; one that is impossible now is left out. */
function repeat(on: Session, deed: Planned): readonly (Planned & { atMs: number })[] {
  on.seekWrite(deed.at.step, deed.at.write);
  try {
    return [{ ...deed, atMs: perform(on, deed.act).atMs }];
  } catch (error) {
    if (refusal(error) === null) throw error;
    return [];
  }
}

function play(on: Session, move: Move): Answer {
  try {
    if (move.kind !== 'do') return { kind: 'frame', frame: go(on, move), write: on.writesBehind(), diagnostics: [] };
    if (move.at !== null) on.seekWrite(move.at.step, move.at.write);
    const write = on.writesBehind();
    const frame = perform(on, move.act);
    return { kind: 'frame', frame, write: on.writesBehind(), diagnostics: [], doneAt: { step: frame.step, write } };
  } catch (error) {
    const why = refusal(error);
    if (why === null) throw error;
    return { kind: 'refused', why };
  }
}

function go(on: Session, move: Exclude<Move, { kind: 'do' }>): Frame {
  switch (move.kind) {
    case 'step':
      return on.step();
    case 'stepWrite':
      return on.stepWrite();
    case 'stepTimer':
      return on.stepTimer();
    case 'stepBack':
      return on.stepBack();
    case 'seek':
      return on.seekWrite(move.at.step, move.at.write);
  }
}

function perform(on: Session, act: Act): Frame {
  if (act.kind === 'pod') return on.inject(`#${act.pod}`, act.action, act.exitCode ?? undefined);
  return act.actions.map((action) => on.perform(JSON.stringify(action))).at(-1) ?? on.frame();
}

function peek(on: Session): Answer {
  const fork = on.fork();
  try {
    return { kind: 'frame', frame: fork.seek(PEEK_LIMIT), write: 0, diagnostics: [] };
  } finally {
    fork.free();
  }
}

function walk(id: number, text: string, scope: Scope): Answer {
  const tell = (states: number): void => postMessage({ id, states } satisfies Reply);
  try {
    return { kind: 'explored', explored: explore(text, scope.anyOf, scope.crashes, scope.conflicts, scope.statesMax, tell) };
  } catch (error) {
    if (!Array.isArray(error)) throw error;
    return { kind: 'rejected', diagnostics: error as Diagnostic[], outcomesProblem: null };
  }
}

/** The engine refuses with `{why}`; anything else that is thrown is a fault. */
function refusal(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('why' in error)) return null;
  return typeof error.why === 'string' ? error.why : null;
}
