/** The code (`ENOENT`, `ERR_…`, `42P01`) that the system, Node or the database gives an error; undefined where it has none. */
export function errno(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
