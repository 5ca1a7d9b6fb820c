/** RFC 9110 §7.6.1, and what frames a message: headers of one connection, not of the next. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
