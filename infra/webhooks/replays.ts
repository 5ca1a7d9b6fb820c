import type pg from 'pg';
import { foldStream } from '#domain/fold.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { addDeliveries, deliveryChannel } from '#infra/webhooks/outbox.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';
import { deliveriesOf } from '#src/webhooks/message.ts';

/** Events that are looked at together. */
const portion = 1_000;
/** Nobody writes an event so much later than it occurred, in milliseconds: whoever is slower gives up. */
const lateness = 60 * 60_000;

type Row = {
  id: string;
  tenant_id: string;
  webhook_id: string;
  from_time: Date;
  to_time: Date;
  position: string | null;
  last_position: string;
};

/**
 * Does the next portion of a replay: where it has come to is written down with the deliveries that it made. Answers
 * whether there is more to do.
 * @param pool as the owner
 */
export const createReplayer =
  ({ pool, log }: { pool: pg.Pool; log: EventLog }) =>
  async (): Promise<boolean> => {
    const { rows: some } = await pool.query('select from work.webhook_replays limit 1');
    if (some.length === 0) return false;
    return inTransaction(pool, async (client) => {
      const { rows } = await client.query<Row>(
        // Tenants take turns, and among the replays of one, these.
        `select replay.* from work.webhook_replays replay
         left join work.webhook_replay_turns turn using (tenant_id)
         order by greatest(turn.turn_at, replay.turn_at), replay.turn_at limit 1
         for update of replay skip locked`,
      );
      const [replay] = rows;
      if (replay === undefined) return false;
      const kinds = await kindsOf(log, replay);
      const page = await log.readAll(replay.position, portion, kinds);
      const events = page.events.filter((event) => isWanted(event, replay));
      const deliveries = events.flatMap((event) => deliveriesOf(event, [replay.webhook_id]));
      await addDeliveries(client, deliveries, { replayed: true });
      const isOver =
        kinds.length === 0 ||
        page.scanned === null ||
        page.atHead ||
        page.events.some((event) => isLongAfter(event, replay)) ||
        log.comparePositions(page.scanned, replay.last_position) >= 0;
      await client.query(
        isOver
          ? 'delete from work.webhook_replays where id = $1'
          : 'update work.webhook_replays set position = $2, turn_at = clock_timestamp() where id = $1',
        isOver ? [replay.id] : [replay.id, page.scanned],
      );
      // Last: others of this tenant wait for it.
      await client.query(
        `insert into work.webhook_replay_turns (tenant_id, turn_at) values ($1, clock_timestamp())
         on conflict (tenant_id) do update set turn_at = excluded.turn_at`,
        [replay.tenant_id],
      );
      if (deliveries.length > 0) await client.query(`notify ${deliveryChannel}`);
      return true;
    });
  };

/** What the webhook wants to hear by now: none when it is disabled, or gone. */
async function kindsOf(log: EventLog, { tenant_id, webhook_id }: Row): Promise<readonly string[]> {
  const webhook = foldStream(webhooksFold, await log.readStream(webhookStream(tenant_id))).get(webhook_id);
  return webhook?.status === 'enabled' ? webhook.events : [];
}

function isWanted({ metadata }: RecordedEvent, { tenant_id, from_time, to_time }: Row): boolean {
  const occurredAt = Date.parse(metadata.occurred_at);
  return (
    metadata.tenant_id === tenant_id && occurredAt >= from_time.getTime() && occurredAt < to_time.getTime()
  );
}

const isLongAfter = ({ metadata }: RecordedEvent, { to_time }: Row): boolean =>
  Date.parse(metadata.occurred_at) >= to_time.getTime() + lateness;
