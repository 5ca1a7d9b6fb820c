import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countActiveTokens } from '#infra/audit/activeTokens.ts';
import { countedEntries } from '#infra/postgres/migrations/0090_counted_entries.ts';
import { createAuditWorkshop, entry, tenantId } from '#test/audit/support/workshop.ts';
import type { AuditWorkshop } from '#test/audit/support/workshop.ts';

let workshop: AuditWorkshop;
const counting = suite('audit: active tokens');

counting.before.each(async () => {
  workshop = await createAuditWorkshop();
});
counting.after.each(() => workshop.close());

/** What is noted, forgotten as it is read: what appears afterwards was counted afterwards. */
async function noted(): Promise<string[]> {
  const { owner } = workshop.database.pools;
  await countActiveTokens(owner);
  const { rows } = await owner.query<{ tenant_id: string; month: string; token_id: string }>(
    'delete from work.active_tokens returning tenant_id, month::text, token_id',
  );
  assert.ok(rows.every((row) => row.tenant_id === tenantId));
  return rows.map((row) => `${row.token_id} ${row.month}`).sort();
}

counting(
  'given chains of several writers, then each token counts once a month, and no entry is looked at twice',
  async () => {
    const [one, other] = [workshop.writer(), workshop.writer()];
    await one.record(['a', 'a', 'b'].map((entityId) => entry({ entityId })));
    await other.record([entry({ entityId: 'a' }), entry({ entityId: 'c' })]);
    await other.record([entry({ entityId: 'a', occurredAt: new Date('2030-02-01T00:00:00Z') })]);
    assert.equal(await noted(), ['a 2030-01-01', 'a 2030-02-01', 'b 2030-01-01', 'c 2030-01-01']);
    assert.equal(await noted(), []);
    await one.record([entry({ entityId: 'd' })]);
    // Dated before what was counted, as by another machine's clock.
    await workshop.writer().record([entry({ entityId: 'e', occurredAt: new Date('2029-12-31T23:59:59Z') })]);
    assert.equal(await noted(), ['d 2030-01-01', 'e 2029-12-01']);
  },
);

counting('given refusals, lists without tokens and what is nobody’s, then they count nothing', async () => {
  await workshop
    .writer()
    .record([
      entry({ outcome: 'refused', status: 403 }),
      entry({ entityId: '' }),
      entry({ tenantId: undefined }),
      entry({ entityType: 'application' }),
    ]);
  assert.equal(await noted(), []);
});

counting('given two that count at once, then nothing fails and nothing is missed', async () => {
  const { owner } = workshop.database.pools;
  const writer = workshop.writer();
  for (let round = 0; round < 10; round++) {
    const recorded = writer.record([entry({ entityId: `t${round}` })]);
    await Promise.all([countActiveTokens(owner), countActiveTokens(owner), recorded]);
  }
  assert.is((await noted()).length, 10);
});

counting('given a log that was counted by time, then it is counted on from there', async () => {
  const { owner } = workshop.database.pools;
  const at = (time: string, entityId: string) => entry({ entityId, occurredAt: new Date(time) });
  const [living, ended, late] = [workshop.writer(), workshop.writer(), workshop.writer()];
  await living.record([at('2030-01-01T10:00:00Z', 'old'), at('2030-01-01T11:59:00Z', 'new')]);
  await ended.record([at('2030-01-01T09:00:00Z', 'older')]);
  await late.record([at('2030-01-01T12:01:00Z', 'newest')]);
  await owner.query(`
    drop table work.counted_entries;
    create table work.active_tokens_counted (
      only_row boolean primary key default true, counted_to timestamptz not null
    );
    insert into work.active_tokens_counted (counted_to) values ('2030-01-01T12:00:00Z');
    create index entries_time on audit.entries using brin (occurred_at);
    ${countedEntries.sql}`);
  assert.equal(await noted(), ['new 2030-01-01', 'newest 2030-01-01']);
});

counting.run();
