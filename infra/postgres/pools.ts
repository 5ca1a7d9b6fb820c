import pg from 'pg';
import { asRole } from '#infra/postgres/connection.ts';
import type { Connection, Role } from '#infra/postgres/connection.ts';
import { limitPatience } from '#infra/postgres/limitPatience.ts';

/**
 * `owner` runs projections and work, `api` serves requests, `vault` touches ciphertext. `log` is for the event log
 * alone and `audit` for the audit log, so that slow reads never keep them waiting. All but the owner's are bound by
 * row-level security.
 */
export type Pools = Record<'owner' | 'api' | 'vault' | 'log' | 'audit', pg.Pool> & { close(): Promise<void> };

export type PoolSizes = Record<'owner' | 'api' | 'vault' | 'log', number>;

/** Reads wait this long for a connection, or for an answer, before they give up, in milliseconds. */
export const requestTimeout = 1_500;

const ignore = (): void => undefined;

/** Connections in a role (none: the owner). */
function createPool(connection: Connection, role: Role | undefined, max: number, patience: number): pg.Pool {
  const { config, enter } =
    role === undefined ? { config: connection, enter: undefined } : asRole(connection, role);
  const created = new pg.Pool({
    ...config,
    max,
    connectionTimeoutMillis: Math.min(patience, requestTimeout),
    application_name: `holdfast ${role ?? 'owner'} ${process.pid}`,
    // The pool waits for it, which its types do not say, and gives nobody a connection on which it failed.
    ...(enter === undefined ? {} : { onConnect: enter as (client: pg.ClientBase) => void }),
  });
  // An idle connection that breaks is replaced at the next use; the use itself reports what is wrong.
  created.on('error', ignore);
  // A connection in use may break between two statements, when nobody listens but Node, which would end the process.
  created.on('connect', (client) => {
    client.on('error', ignore);
    if (role !== undefined) limitPatience(client, patience);
  });
  return created;
}

/** For the audit log: a chain is written by one statement after the other. */
export const createAuditPool = (connection: Connection): pg.Pool =>
  createPool(connection, 'api', 1, requestTimeout);

/** For counters of requests, which every request waits for first. */
export const createRateCountPool = (connection: Connection): pg.Pool =>
  createPool(connection, 'api', 4, requestTimeout);

/**
 * Connection pools, one a role.
 * @param patience for an answer, in milliseconds; the owner's statements may take as long as they need
 */
export function createPools(connection: Connection, sizes: PoolSizes, patience = requestTimeout): Pools {
  const pool = (role: Role | undefined, max: number): pg.Pool => createPool(connection, role, max, patience);
  const pools = {
    owner: pool(undefined, sizes.owner),
    api: pool('api', sizes.api),
    vault: pool('vault', sizes.vault),
    log: pool('log', sizes.log),
    audit: createAuditPool(connection),
  };
  return {
    ...pools,
    close: async () => {
      await Promise.all(Object.values(pools).map((one) => one.end()));
    },
  };
}
