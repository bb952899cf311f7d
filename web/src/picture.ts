/**
 * The lanes as a picture: SVG with the tokens of the present theme put in, and PNG made of it.
 *
 * Invariant: every text is escaped; the picture has no script and loads nothing.
 */
import type { Frame } from './gen/Frame.ts';
import { layOut, type Box } from './model/lanes.ts';
import { clock, spanFor, ticks } from './model/scale.ts';

const ROW = 40;
const LEFT = 120;
const WIDTH = 960;
const TOP = 64;

/** More rows than this are no picture. */
const MOST_ROWS = 60;

export function toSvg(frame: Frame, title: string, note: string): string {
  const { rows, total } = layOut(frame, 0, MOST_ROWS);
  const span = spanFor(frame.atMs / 1000);
  const x = (ms: number): number => LEFT + ((ms / 1000) * (WIDTH - LEFT - 20)) / span;
  let y = TOP;
  const parts: string[] = [];
  for (const row of rows) {
    parts.push(text(16, y + 24, row.label, '--text-2', 13, 'bold'));
    for (const box of row.boxes) parts.push(boxSvg(box, y + box.line * ROW, x));
    y += row.lines * ROW;
    parts.push(`<path d="M16 ${y}H${WIDTH - 16}" stroke="${colour('--line')}"/>`);
  }
  const axis = ticks(span, 8).at.map((at) => `<path d="M${x(at * 1000)} ${TOP - 6}V${y}" stroke="${colour('--line')}"/>${text(x(at * 1000) - 10, TOP - 12, clock(at), '--text-3', 11)}`);
  const now = `<path d="M${x(frame.atMs)} ${TOP - 8}V${y}" stroke="${colour('--accent-line')}" stroke-width="1.5"/>`;
  const left = total > rows.length ? text(16, y + 18, `+ ${total - rows.length}`, '--text-3', 11) : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 44}" viewBox="0 0 ${WIDTH} ${y + 44}" font-family="Inter, system-ui, sans-serif">
<rect width="100%" height="100%" fill="${colour('--canvas')}"/>${text(16, 28, title, '--text', 16, 'bold')}
${axis.join('')}${parts.join('')}${now}${left}${text(16, y + 32, note, '--text-3', 11)}</svg>\n`;
}

export async function toPng(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  const context = canvas.getContext('2d');
  context?.scale(2, 2);
  context?.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function boxSvg(box: Box, y: number, x: (ms: number) => number): string {
  const parts = box.parts.map((part) => {
    const width = Math.max(2, x(part.to) - x(part.from));
    return `<rect x="${x(part.from)}" y="${y + 8}" width="${width}" height="24" fill="${colour(`--${part.state}-fill`)}" stroke="${colour(`--${part.state}-line`)}"/>`;
  });
  const { state, exitCode } = box.pod;
  const ended = state === 'succeeded' || state === 'failed';
  const word = ended ? (state === 'succeeded' ? '✓' : `✗ ${exitCode ?? ''}`) : '';
  const cap = ended ? text(x(box.to) + 4, y + 25, word, `--${state}-ink`, 12, 'bold') : '';
  return parts.join('') + cap;
}

function text(x: number, y: number, words: string, token: string, size: number, weight = 'normal'): string {
  return `<text x="${x}" y="${y}" fill="${colour(token)}" font-size="${size}" font-weight="${weight}">${escape(words)}</text>`;
}

function escape(words: string): string {
  const names: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
  return words.replace(/[<>&"]/g, (letter) => names[letter] ?? '');
}

function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}
