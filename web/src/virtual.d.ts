/** What the build collects; see `vite.config.ts`. */
declare module 'virtual:spec' {
  const statements: Readonly<Record<string, string>>;
  export default statements;
}
