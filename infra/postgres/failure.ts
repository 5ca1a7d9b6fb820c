import pg from 'pg';
import { callOf } from '#infra/files/fileSystemReason.ts';
import { StoreUnavailable } from '#ports/readModels.ts';

const { DatabaseError } = pg;

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
const connectionMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end/;

/** Whether an error of `pg` says that the server is gone or silent, not that the statement is wrong. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // 08: connection exceptions; 53: out of resources; 57P: the server is stopping or starting.
    if (/^(08|53|57P)/.test(code)) return true;
    if (connectionCodes.has(code)) return true;
    // The socket is gone with the server; any other file has nothing to do with it.
    if (code === 'ENOENT' && callOf(error) === 'connect') return true;
  }
  return connectionMessages.test(error.message);
}

/** Whether the server has no room for what was to be written. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '53100';

/** Whether the server has as many connections as it, or the database or the user, may have. */
export const isOutOfConnections = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '53300';

/** Whether the user may not do what the statement says. */
export const lacksRight = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '42501';

const certificateErrors =
  /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** Whether the server's certificate is none that we trust, or another server's. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && certificateErrors.test(String(error.code));

/** Whether the server let nobody in: no such database, a wrong password, too many connections. */
export const isRefusedConnection = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'FATAL';

/**
 * Whether the server rolled a statement back for a reason of its own, so that it was not carried out and may
 * be tried again later: 53 out of resources, 57014 canceled or timed out, 25006 a read-only standby, 55P03 a
 * lock not granted, 40 a deadlock or serialization failure. A `FATAL` answer is no such promise.
 */
export function isRefusedForNow(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.severity === 'FATAL') return false;
  return /^(53|57014|25006|55P03|40)/.test(error.code ?? '');
}

/** Whether the statement is right, and only has to wait for the server to be itself again. */
export const isPassing = (error: unknown): boolean => isConnectionFailure(error) || isRefusedForNow(error);

/** Runs a statement; a server that is gone, or refuses for now, becomes {@link StoreUnavailable}. */
export async function reachable<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isPassing(error)) throw new StoreUnavailable('the database cannot be used', { cause: error });
    throw error;
  }
}
