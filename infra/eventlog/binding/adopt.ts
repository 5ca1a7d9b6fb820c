import type pg from 'pg';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { lockInstallation, writeBinding } from '#infra/eventlog/binding/installation.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import { lastShared } from '#infra/eventlog/binding/sharedHistory.ts';
import type { EventLog, Position } from '#ports/eventLog.ts';
import { positionIn } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';

/** Where a subscriber goes on; `position` undefined: as one that is new. */
export type Placed = { name: string; position: Position | null | undefined };

export type Adopted = { subscribers: Placed[]; shared: LastEvent | undefined };

type Subscription = { name: string; log_id: string; position: Position | null; last_event: LastEvent | null };

/**
 * Binds an installation to another log, or to the same one in another state, and that to the installation. Subscribers
 * go on after the last event that both logs share. What was noted of places in the log before is forgotten, orphans are
 * looked for anew, and their quarantine begins anew. The views are left to be rebuilt.
 * @param pool of the owner
 */
export async function adopt(pool: pg.Pool, { log, place }: PlacedLog): Promise<Adopted> {
  const logId = await log.logId();
  return inTransaction(pool, async (client) => {
    const { id } = await lockInstallation(client);
    const { rows: subscriptions } = await client.query<Subscription>(
      'select name, log_id, position, last_event from work.subscriptions order by name for update',
    );
    const { rows: views } = await client.query<{ last_event: LastEvent }>(
      'select last_event from work.projection_checkpoints where last_event is not null',
    );
    const known = [...subscriptions, ...views].flatMap(({ last_event }) => last_event ?? []);
    const shared = await lastShared(client, log, known);
    const subscribers: Placed[] = [];
    for (const subscription of subscriptions) {
      subscribers.push(await placed(client, log, logId, subscription, shared));
    }
    await client.query(`
      delete from work.log_times;
      delete from work.webhook_replays;
      update vault.sweeps set swept_to = '-infinity', stopped = null where name = 'orphans';
      update vault.quarantined_payloads set quarantined_at = now(), looked_at = now()`);
    await writeBinding(client, logId, place);
    const owner = await log.owner();
    if (owner !== id && !(await log.giveTo(id, owner))) {
      throw new Error('the event log was given to another installation meanwhile: run it again');
    }
    return { subscribers, shared };
  });
}

/** One that has handled nothing that the log lacks goes on where it was. */
async function placed(
  client: pg.ClientBase,
  log: EventLog,
  logId: string,
  { name, log_id, position, last_event }: Subscription,
  shared: LastEvent | undefined,
): Promise<Placed> {
  const found = last_event === null ? undefined : await positionIn(log, last_event);
  const last = last_event === null || found === undefined ? shared : { ...last_event, position: found };
  if (last === undefined) {
    await client.query('delete from work.subscriptions where name = $1', [name]);
    return { name, position: undefined };
  }
  const stays = log_id === logId && position !== null && log.comparePositions(position, last.position) <= 0;
  const to = stays ? position : last.position;
  await client.query(
    `update work.subscriptions set log_id = $2, position = $3, last_event = $4, last_error = null,
       failing_since = null, blocked_event = null, blocked_type = null, blocked_position = null, updated_at = now()
     where name = $1`,
    [name, logId, to, last.position === to ? last : null],
  );
  return { name, position: to };
}
