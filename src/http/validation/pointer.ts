/** The decoded segments of a JSON pointer (RFC 6901), with or without a leading `#`. */
export const segments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What lies at a pointer, or undefined. */
export function valueAt(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (at, segment) => (typeof at === 'object' && at !== null ? Reflect.get(at, segment) : undefined),
    value,
  );
}
