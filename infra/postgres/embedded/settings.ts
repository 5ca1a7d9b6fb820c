import { rulesIn } from '#infra/postgres/embedded/socketDirectory.ts';

/** Postgres settings by name, as in postgresql.conf. */
export type Settings = Record<string, string>;

/** What a new cluster starts with; an operator may change these in its postgresql.conf. */
export const tunable: Settings = {
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // Segments of the log are used again: a new one is filled with zeros first, and every commit waits for that.
  min_wal_size: '1GB',
  // Tables grow by thousands of rows a second, and the planner should hear of it.
  autovacuum_naptime: '15s',
  checkpoint_completion_target: '0.9',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** What the supervisor relies on, and what keeps secrets out of files: nothing in the cluster overrides it. */
export function fixed(socketDirectory: string): Settings {
  return {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    hba_file: rulesIn(socketDirectory),
    port: '5432',
    logging_collector: 'off',
    log_destination: 'stderr',
    // The message of a failed statement may quote the value that it failed on. Only what the server says of
    // itself is written down; the client of a failed statement hears of it anyway.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_statement: 'none',
    log_min_duration_statement: '-1',
  };
}

/** Settings as parameters: `-c name=value`. */
export function asParameters(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
