/** Frames made by hand: only what a test says differs from a Job that has not begun. */
import type { Card } from '../src/gen/Card.ts';
import type { Frame } from '../src/gen/Frame.ts';
import type { JobFrame } from '../src/gen/JobFrame.ts';
import type { PastDecision } from '../src/gen/PastDecision.ts';
import type { PodFrame } from '../src/gen/PodFrame.ts';
import type { TriedLine } from '../src/gen/TriedLine.ts';

export function frame(differs: Partial<Frame> = {}): Frame {
  return {
    step: 0,
    atMs: 0,
    job: job(),
    pods: [],
    ledger: {
      succeeded: 0,
      succeededUncounted: 0,
      failed: 0,
      failedUncounted: 0,
      active: 0,
      ready: 0,
      terminating: 0,
      backoffLimit: 6,
    },
    decision: null,
    open: null,
    past: [],
    ahead: null,
    marks: [],
    ended: null,
    events: [],
    notices: [],
    ...differs,
  };
}

export function job(differs: Partial<JobFrame> = {}): JobFrame {
  return {
    name: 'hello',
    namespace: 'default',
    phase: 'Running',
    completionsColumn: '0/1',
    indexed: false,
    completions: 1,
    parallelism: 1,
    suspend: false,
    conditions: [],
    status: {},
    object: {},
    ...differs,
  };
}

export function pod(differs: Partial<PodFrame> = {}): PodFrame {
  return {
    name: 'hello-abcde',
    row: 0,
    index: null,
    attempt: 1,
    state: 'pending',
    exitCode: null,
    reason: null,
    createdMs: 0,
    startedMs: null,
    readyMs: null,
    deletedMs: null,
    endedMs: null,
    goneMs: null,
    trackingFinalizer: true,
    uncounted: false,
    restarts: 0,
    ...differs,
  };
}

/** Decisions 1 to `count`, one a second. */
export function past(count: number): PastDecision[] {
  return Array.from({ length: count }, (_, place) => ({
    step: place + 1,
    atMs: place * 1000,
    rule: 'create',
    title: `decision ${place + 1}`,
    wrote: true,
    backoffUntilMs: null,
    fields: [],
  }));
}

export function tried(rule: string, stage: string, fired = false): TriedLine {
  return { rule, stage, fired, text: '', specIds: [], fields: [] };
}

export function card(differs: Partial<Card> = {}): Card {
  return {
    step: 1,
    atMs: 0,
    rule: 'create',
    title: 'One pod starts.',
    trigger: '',
    why: '',
    tried: [],
    inputs: [],
    fields: [],
    writes: [],
    events: [],
    next: null,
    error: null,
    record: {
      apiVersion: 'jobwright.dev/v1alpha1',
      kind: 'DecisionRecord',
      subject: { kind: 'Job', namespace: 'default', name: 'hello' },
      at: '2000-01-01T01:00:00.000Z',
      triggers: [],
      tried: [],
      writes: [],
      events: [],
    },
    ...differs,
  };
}
