import { rm } from 'node:fs/promises';
import type { Logger } from '#ports/logger.ts';
import { postmasterFile, readPostmasterFile } from '#infra/postgres/embedded/postmasterFile.ts';
import { endPostmaster, isAlive, postgresProcesses, signal } from '#infra/postgres/embedded/processes.ts';
import { removeSocketDirectory } from '#infra/postgres/embedded/socketDirectory.ts';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';

/** Time for processes to go after SIGKILL, in milliseconds. */
const patience = 5_000;

/**
 * Ends what an earlier owner left running in the cluster, so that a new server can start. Only the owner of
 * the data directory may call this: whatever runs there then has lost its own.
 *
 * A server that still lives is ended, not adopted: the watchdog of its owner is about to end it, and a
 * server that we start is our child, with our settings and our watchdog.
 */
export async function endLeftovers(cluster: string, logger: Logger): Promise<void> {
  const left = await readPostmasterFile(cluster);
  if (left === undefined) return;
  const processes = (): Promise<number[]> => postgresProcesses(cluster, left.pid);
  if ((await processes()).includes(left.pid)) {
    logger.warn({ postgres_pid: left.pid }, 'ending the PostgreSQL that an earlier owner left running');
    await endPostmaster(left.pid, async () => !(await processes()).includes(left.pid));
    await removeSocketDirectory(left.socketDirectory);
  }
  await endOrphans(processes);
  // Postgres would take any process of this number for the earlier server, and refuse to start. Otherwise
  // the file stays: Postgres reads from it whether shared memory is still in use.
  if (isAlive(left.pid)) await rm(postmasterFile(cluster), { force: true });
}

/** Backends outlive a postmaster that was killed, and keep its shared memory. */
async function endOrphans(processes: () => Promise<number[]>): Promise<void> {
  await waitUntil(async () => {
    const orphans = await processes();
    for (const pid of orphans) signal(pid, 'SIGKILL');
    return orphans.length === 0;
  }, patience);
}
