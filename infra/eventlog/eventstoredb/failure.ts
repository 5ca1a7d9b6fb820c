import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  isCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { AppendTooLarge, LogRefused, LogUnavailable, StreamLost, UnknownOutcome } from '#ports/eventLog.ts';

const neverSent =
  /No connection established|Name resolution failed|Failed to discover|Channel closed before call started/i;
const untrusted =
  /unable to (?:verify|get)|self[- ]signed|certificate|ERR_TLS|altnames|wrong version number|SSL routines/i;
const denied = 7;

/** What a failed append means: not made, unknown, or an error that is the append's own. */
export function appendFailure(error: unknown): unknown {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  const options = { cause: error };
  if (isNeverSent(error)) {
    return new LogUnavailable(`the event log cannot be reached: ${reasonOf(error)}`, options);
  }
  if (isServerTrouble(error)) {
    return new UnknownOutcome(`an append to the event log was cut off: ${reasonOf(error)}`, options);
  }
  return error;
}

export function readFailure(error: unknown): unknown {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  if (isNeverSent(error) || isServerTrouble(error)) {
    return new LogUnavailable(`the event log cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  return error;
}

/** What means the same for reads and appends. */
function knownFailure(error: unknown): Error | undefined {
  const options = { cause: error };
  if (error instanceof LogUnavailable || error instanceof StreamLost) return error;
  if (error instanceof NotLeaderError) {
    return new LogUnavailable('the event log moved to another node', options);
  }
  if (error instanceof StreamDeletedError) {
    return new StreamLost(
      `the stream ${error.streamName} was deleted for good on the event log's server`,
      options,
    );
  }
  if (error instanceof MaxAppendSizeExceededError) {
    return new AppendTooLarge('the events are larger than the event log takes at once', options);
  }
  if (isDenied(error)) {
    return new LogRefused(
      'the event log refuses the user of EVENTSTOREDB_URL: check its name and password, and that it may read $all (readRoles) and append to streams',
      options,
    );
  }
  if (error instanceof Error && isTransport(error) && untrusted.test(error.message)) {
    const reason = reasonOf(error);
    return new LogRefused(
      `the certificate of the event log's server is not trusted (${reason}): name its CA as tlsCAFile in EVENTSTOREDB_URL, and the host as it is in the certificate`,
      options,
    );
  }
  return undefined;
}

function isDenied(error: unknown): boolean {
  if (error instanceof AccessDeniedError) return true;
  return error instanceof UnknownError && 'code' in error && error.code === denied;
}

function isTransport(error: Error): boolean {
  return error instanceof UnavailableError || error instanceof UnknownError || !isCommandError(error);
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

/** One line of what the server or the transport said. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
