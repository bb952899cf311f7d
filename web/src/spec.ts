/**
 * The statements of `docs/spec`, by id: loaded only when somebody asks for one.
 *
 * Invariant: the texts are those of the repository, word for word; the build collects them.
 */
let loading: Promise<Readonly<Record<string, string>>> | null = null;

export async function specStatement(id: string): Promise<string> {
  loading ??= import('virtual:spec').then((found) => found.default);
  return (await loading)[id] ?? '';
}
