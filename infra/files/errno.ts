/** The system's error code (`ENOENT`, `EACCES`, …) of a failed call; undefined for any other error. */
export function errno(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
