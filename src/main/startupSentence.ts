import { NewerSchema, UnfinishedRestore } from '#infra/postgres/schemaOf.ts';
import { fileSystemReason, refusedPath } from '#infra/files/fileSystemReason.ts';
import { errno } from '#src/errno.ts';
import {
  isConnectionFailure,
  isDiskFull,
  isOutOfConnections,
  isRefusedConnection,
  isUntrusted,
  lacksRight,
} from '#infra/postgres/failure.ts';
import { CannotListen, PortInUse } from '#http/server.ts';
import { SettingError } from '#src/settingValues.ts';
import { StartupError } from '#src/startupError.ts';
import { WrongLog } from '#ports/eventLog.ts';
import { RootKeyRefused, RootKeyUnknown } from '#ports/keyProvider.ts';
import { StoreUnavailable } from '#ports/readModels.ts';

/** The one sentence that says why the service cannot start; undefined when only a stack trace can tell. */
export function startupSentence(error: unknown): string | undefined {
  if (error instanceof PortInUse) {
    return `port ${error.port} of ${error.host} is in use: stop what listens there, or set PORT to another`;
  }
  if (error instanceof CannotListen) return `${error.message}: set HOST and PORT to what this machine has`;
  const isOurs = [
    SettingError,
    StartupError,
    NewerSchema,
    UnfinishedRestore,
    RootKeyRefused,
    RootKeyUnknown,
    WrongLog,
  ].some((kind) => error instanceof kind);
  if (isOurs) return (error as Error).message;
  if (isDiskFull(error)) return `the disk of the database is full: ${reasonOf(error)}`;
  if (isOutOfConnections(error)) {
    return `the database has no room for another connection: raise max_connections on its server, or lower HOLDFAST_PROCESSES (${reasonOf(error)})`;
  }
  if (isUntrusted(error)) {
    return `the certificate of the database is not trusted (${reasonOf(error)}): name the file of its CA in DATABASE_URL, as sslrootcert=<file>`;
  }
  if (lacksRight(error)) {
    return `the database refuses: ${reasonOf(error)}: grant that, or have an administrator run what \`npx holdfast database prepare --print\` prints`;
  }
  if (error instanceof StoreUnavailable || isRefusedConnection(error) || isConnectionFailure(error)) {
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    return `the database cannot be reached: ${reasonOf(cause)}`;
  }
  return fileSystemSentence(error);
}

/** Knex puts the statement, which may have many lines, before what the server said of it. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split(' - ').at(-1) ?? error.message) : 'no answer';

/** Of a file that is missing only the stack says who wanted it. */
function fileSystemSentence(error: unknown): string | undefined {
  const reason = fileSystemReason(error);
  if (reason === undefined || errno(error) === 'ENOENT') return undefined;
  return `${refusedPath(error) ?? 'a file'} cannot be used: ${reason}`;
}
