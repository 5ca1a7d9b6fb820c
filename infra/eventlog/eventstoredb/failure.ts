import {
  CancelledError,
  DeadlineExceededError,
  isCommandError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';

const neverSent =
  /No connection established|Name resolution failed|Failed to discover|Channel closed before call started/i;

/** What a failed append means: not made, unknown, or an error that is the append's own. */
export function appendFailure(error: unknown): unknown {
  const options = { cause: error };
  if (error instanceof NotLeaderError) {
    return new LogUnavailable('the event log moved to another node', options);
  }
  if (isNeverSent(error)) return new LogUnavailable('the event log cannot be reached', options);
  if (isServerTrouble(error)) return new UnknownOutcome('an append to the event log was cut off', options);
  return error;
}

export function readFailure(error: unknown): unknown {
  if (error instanceof NotLeaderError || isNeverSent(error) || isServerTrouble(error)) {
    return new LogUnavailable('the event log cannot be read', { cause: error });
  }
  return error;
}

function isNeverSent(error: unknown): boolean {
  return error instanceof Error && neverSent.test(error.message);
}

/** An error that is not of the client's own kinds comes from the transport under it. */
function isServerTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!isCommandError(error)) return 'code' in error;
  return (
    error instanceof UnavailableError ||
    error instanceof CancelledError ||
    error instanceof DeadlineExceededError ||
    error instanceof TimeoutError ||
    error instanceof UnknownError
  );
}
