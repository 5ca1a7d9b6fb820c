import type pg from 'pg';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { lockInstallation, readReaders, writeBinding } from '#infra/eventlog/binding/installation.ts';
import { belongsToAnother, holdsOthers, isAnother } from '#infra/eventlog/binding/sentences.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';

/** How long the log may take to bring its first event, in milliseconds. */
const patience = 10_000;

/**
 * Binds an installation to its log at the first start, and the log to it. A log that another installation has, or whose
 * events are of tenants that the vault does not know, stays as it is.
 * @param pool of the owner
 * @throws WrongLog @throws LogUnavailable
 */
export async function bindFirst(pool: pg.Pool, { log, place }: PlacedLog): Promise<void> {
  const logId = await log.logId();
  const here = { id: logId, place };
  await inTransaction(pool, async (client) => {
    const { id, logId: bound } = await lockInstallation(client);
    if (bound !== null) return;
    const owner = await log.owner();
    if (owner !== id) {
      if (owner !== null) throw belongsToAnother(here);
      await requireOwnEvents(client, log, here);
      if (!(await log.giveTo(id, null)) && (await log.owner()) !== id) throw belongsToAnother(here);
    }
    await writeBinding(client, logId, place);
  });
}

/** An installation of before bindings knows its log by its checkpoints; a new one finds an empty log. */
async function requireOwnEvents(
  client: pg.ClientBase,
  log: EventLog,
  here: { id: string; place: string },
): Promise<void> {
  const readers = await readReaders(client);
  const other = readers.find(({ logId }) => logId !== here.id);
  if (other !== undefined) throw isAnother({ id: other.logId, place: null }, here);
  if (readers.length > 0) return;
  const tenantId = await firstTenantOf(log);
  if (tenantId === undefined) return;
  const { rows } = await client.query(
    `select from vault.tenant_keys where tenant_id = $1
     union all select from vault.destroyed_tenants where tenant_id = $1`,
    [tenantId],
  );
  if (rows.length === 0) throw holdsOthers(here);
}

/** Subscribes, because then the server passes over what others have written. */
async function firstTenantOf(log: EventLog): Promise<string | undefined> {
  for await (const page of log.subscribe(null, undefined, AbortSignal.timeout(patience))) {
    const [first] = page.events;
    if (first !== undefined) return first.metadata.tenant_id;
    if (page.atHead) return undefined;
  }
  throw new LogUnavailable('the event log did not say in time whether it holds events');
}
