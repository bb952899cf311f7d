/** Small words that several views use: states, pods, times. */
import type { PodFrame } from '../gen/PodFrame.ts';
import type { PodState } from '../gen/PodState.ts';
import type { PodAction } from '../engine/protocol.ts';
import { say } from '../text.ts';
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
  if (pod.uncounted) parts.push(say('ui.pod.uncounted'));
  if (pod.goneMs === null) parts.push(say(pod.trackingFinalizer ? 'ui.pod.finalizerOn' : 'ui.pod.finalizerOff'));
  return parts.join(', ');
}

/** The sign of a deed or of an entry of the menu. */
export function actionIcon(action: string): IconName {
  const icons: Record<PodAction, IconName> = {
    succeed: 'succeeded',
    fail: 'failed',
    evict: 'evict',
    delete: 'delete',
  };
  return action in icons ? icons[action as PodAction] : 'chev';
}

/** The colours of a deed. */
export function actionTone(action: string): string {
  if (action === 'succeed') return 's-succeeded';
  return action === 'fail' ? 's-failed' : 's-terminating';
}
