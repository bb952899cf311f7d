/**
 * What leaves the page, and where it stays: the address, the clipboard, files.
 *
 * Invariant: nothing is sent anywhere. The session stands in the fragment of the address, which browsers keep to
 * themselves; storage may be closed to the page.
 */
import type { App, Saved } from './app.ts';
import { fromFragment, toFragment, type Opened, type PresetTexts } from './model/link.ts';
import { placeOf, type State } from './model/state.ts';

export function presetTexts(app: Pick<App, 'presets'>): PresetTexts {
  return (id) => app.presets.find((one) => one.id === id) ?? null;
}

export function savedOf(state: State): Saved {
  const deeds = state.deeds.map(({ at, act }) => ({ at, act }));
  return { preset: state.preset, text: state.text, outcomes: state.outcomes, deeds, at: placeOf(state) };
}

/** The address of the session as it is now. */
export async function linkTo(app: App): Promise<string> {
  const address = new URL(location.href);
  address.hash = (await toFragment(savedOf(app.state), presetTexts(app))).slice(1);
  return address.href;
}

/** Writes the session into the address, so that it survives a reload. */
export async function keepInAddress(app: App): Promise<void> {
  const saved = app.state;
  const address = await linkTo(app);
  if (saved === app.state && address !== location.href) history.replaceState(null, '', address);
}

export function openAddress(app: App): Promise<Opened | null> {
  return fromFragment(location.hash, presetTexts(app));
}

/** Whether the clipboard took it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function download(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
