/** Small words that several views use: states, pods, times, deeds. */
import type { PodFrame } from '../gen/PodFrame.ts';
import type { PodState } from '../gen/PodState.ts';
import { deedName, type Deed } from '../model/deed.ts';
import { say, sayAny } from '../text.ts';
import type { IconName } from './icons.ts';

export function stateWord(state: PodState): string {
  return say(`ui.state.${state}`);
}

/** The part of the name that tells pods of one Job apart. */
export function suffix(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}

/** All that the box shows, in words. */
export function podLabel(pod: PodFrame): string {
  const parts = [
    pod.index === null
      ? say('ui.pod.attempt', { name: pod.name, attempt: pod.attempt })
      : say('ui.pod.indexAttempt', { name: pod.name, index: pod.index, attempt: pod.attempt }),
    pod.goneMs === null ? stateWord(pod.state) : say('ui.pod.wasGone', { state: stateWord(pod.state) }),
  ];
  if (pod.exitCode !== null) parts.push(say('ui.pod.exit', { code: pod.exitCode }));
  if (pod.reason !== null) parts.push(pod.reason);
  if (pod.restarts > 0) parts.push(say('ui.pod.restarts', { count: pod.restarts }));
  if (pod.uncounted) parts.push(say('ui.pod.uncounted'));
  if (pod.goneMs === null) parts.push(say(pod.trackingFinalizer ? 'ui.pod.finalizerOn' : 'ui.pod.finalizerOff'));
  return parts.join(', ');
}

const ICONS: Readonly<Record<string, IconName>> = {
  run: 'running',
  succeed: 'succeeded',
  fail: 'failed',
  oom: 'failed',
  restart: 'reset',
  evict: 'evict',
  drain: 'evict',
  preempt: 'evict',
  'node-lost': 'evict',
  delete: 'delete',
  'delete-now': 'delete',
  terminated: 'terminating',
};

/** The sign of an entry of a pod's menu. */
export function actionIcon(action: string): IconName {
  return ICONS[action] ?? 'chev';
}

/** The colours of what happens to a pod. */
export function actionTone(action: string): string {
  if (action === 'succeed') return 's-succeeded';
  if (action === 'run') return 's-running';
  return action === 'fail' || action === 'oom' || action === 'restart' ? 's-failed' : 's-terminating';
}

/** A deed in a word, its sign and its colours. */
export function deedLook(deed: Deed): { readonly word: string; readonly sign: IconName; readonly tone: string } {
  const { act } = deed;
  if (act.kind === 'pod') {
    const word = act.exitCode === null ? sayAny(`ui.deed.pod.${act.action}`, act.action) : say('ui.pod.exit', { code: act.exitCode });
    return { word, sign: actionIcon(act.action), tone: actionTone(act.action) };
  }
  const name = deedName(act.actions);
  return { word: say(`ui.deed.${name}`), sign: SIGNS[name] ?? 'hint', tone: name === 'crash' || name === 'fault' || name === 'lost' ? 's-failed' : 's-waiting' };
}

const SIGNS: Readonly<Record<string, IconName>> = {
  crash: 'crash',
  lost: 'crash',
  stop: 'pause',
  start: 'play',
  fault: 'error',
  hold: 'waiting',
  release: 'next',
  drop: 'reset',
  pods: 'evict',
  'delete-job': 'delete',
  patch: 'edit',
  scale: 'edit',
  suspend: 'pause',
  resume: 'play',
};
