import * as grpc from '@grpc/grpc-js';

/** An error as the server sends it; `exception` is the word by which the client knows its kind. */
export type Failure = { code: number; details: string; exception?: string; more?: Record<string, string> };

export function serviceError({ code, details, exception, more = {} }: Failure): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  const entries = { ...(exception === undefined ? {} : { exception }), ...more };
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return { code, details, metadata };
}

/** What servers say, word for word. */
export const failures = {
  handler: { code: 2, details: 'Exception was thrown by handler.' },
  tooLarge: {
    code: 3,
    details: 'Maximum Append Size of 1048576 Exceeded.',
    exception: 'maximum-append-size-exceeded',
    more: { 'maximum-append-size': '1048576' },
  },
  accessDenied: { code: 7, details: 'Access Denied', exception: 'access-denied' },
  unauthenticated: { code: 16, details: 'Unauthenticated' },
  commitTimeout: { code: 10, details: 'Operation timed out: Commit phase timeout.' },
  forwardingTimeout: { code: 10, details: 'Operation timed out: Forwarding timeout' },
  canceled: { code: 10, details: 'Request canceled by server' },
  notReady: { code: 14, details: 'Server Is Not Ready' },
  dropped: { code: 14, details: 'Connection dropped' },
  reset: { code: 13, details: 'Received RST_STREAM with code 0' },
  tooSlow: {
    code: 10,
    details:
      'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  },
} satisfies Record<string, Failure>;

export function tombstone(stream: string): Failure {
  return {
    code: 9,
    details: `Event stream '${stream}' is deleted.`,
    exception: 'stream-deleted',
    more: { 'stream-name': stream },
  };
}

export function notLeader(host: string, port: number): Failure {
  return {
    code: 5,
    details: 'Leader info available',
    exception: 'not-leader',
    more: { 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) },
  };
}
