import type { Caller } from '#ports/accessDirectory.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { ReadModels } from '#ports/readModels.ts';
import type { SignedStreams } from '#src/signedStreams.ts';

/** A caller as it was looked up. */
export type Known = {
  caller: Caller;
  /** In milliseconds since 1970; undefined: it does not end. */
  expiresAt: number | undefined;
  /** When one of these changes, what is known is no longer true. */
  dependsOn: readonly string[];
};

export type Lookup = SignedStreams & { readModels: ReadModels; log: EventLog };
