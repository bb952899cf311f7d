/**
 * A manifest made tidy: no tabs at the beginning of a line, no spaces at its end, indentation by two, one empty line at
 * most, a line break at the end.
 *
 * Invariant: what the YAML says stays the same. Texts with block scalars, or with indentation that is not even, keep
 * their indentation.
 */
export function formatted(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n').map((line) => line.trimEnd());
  const kept = lines.filter((line, place) => line !== '' || (lines[place - 1] ?? '') !== '');
  const body = halved(kept).join('\n').trim();
  return body === '' ? '' : `${body}\n`;
}

/** Four spaces a level become two, if that is how the whole text is written. */
function halved(lines: readonly string[]): readonly string[] {
  const depths = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const plain = lines.every((line) => !/[|>][-+0-9]*$/.test(line) && !line.trimStart().startsWith('- '));
  const even = depths.every((depth) => depth % 4 === 0) && depths.some((depth) => depth > 0);
  return plain && even ? lines.map((line) => line.replace(/^ +/, (run) => ' '.repeat(run.length / 2))) : lines;
}
