import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweepExpired } from '#infra/vault/sweeps/sweepExpired.ts';
import { SweepStopped, sweepOrphans } from '#infra/vault/sweeps/sweepOrphans.ts';
import type { IsReferenced, OrphanSweep, Swept } from '#infra/vault/sweeps/sweepOrphans.ts';
import { createSweepMetrics } from '#src/main/sweepMetrics.ts';
import { WrongLog } from '#ports/eventLog.ts';
import { createVaultFixture, failureOf } from '#test/vault/support/fixture.ts';

const test = suite('vault sweeps');
const fixture = await createVaultFixture();
const { vault, clock } = fixture;
const { owner } = fixture.database.pools;
const tenants = [await fixture.newTenant(), await fixture.newTenant()];
const hour = 60 * 60_000;

type Stored = { id: string; tenantId: string; stream: string };
const storeSome = async (count: number, expiresAt?: Date): Promise<Stored[]> => {
  const payloads = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    tenantId: tenants[index % 2] ?? '',
    stream: `token-${index}`,
    data: index,
    blindIndexes: [Buffer.of(index % 256)],
    expiresAt,
  }));
  await vault.storeAll(payloads);
  return payloads;
};
const present = async (payloads: readonly Stored[]): Promise<boolean[]> =>
  Promise.all(
    payloads.map(async ({ tenantId, ...reference }) => {
      const [found] = await vault.read(tenantId, [reference]);
      return found !== undefined;
    }),
  );

test('given payloads past their time, when they are swept, then they and their indexes are gone', async () => {
  const soon = await storeSome(5, new Date(clock.now().getTime() + 1_000));
  const later = await storeSome(5, new Date(clock.now().getTime() + 24 * hour));
  clock.advance(1_000);
  assert.is(await sweepExpired(owner, clock.now()), 5);
  assert.is(await sweepExpired(owner, clock.now()), 0);
  assert.equal(await present(soon), [false, false, false, false, false]);
  assert.equal(await present(later), [true, true, true, true, true]);
  const { rows } = await owner.query('select from vault.blind_indexes where payload_id = any($1::uuid[])', [
    soon.map(({ id }) => id),
  ]);
  assert.is(rows.length, 0);
});

type Sweep = Partial<OrphanSweep>;
const sweep = (given: Sweep = {}): Promise<Swept> =>
  sweepOrphans({
    pool: owner,
    isReferenced: () => Promise.resolve(false),
    requireLog: () => Promise.resolve(),
    quarantine: 7 * 24 * hour,
    plausibleShare: 100,
    ...given,
  });
/** Lets time go by for everything that is stored. */
const age = async (by: string): Promise<void> => {
  await owner.query('update vault.payloads set stored_at = stored_at - $1::interval', [by]);
  await owner.query(
    `update vault.quarantined_payloads
     set quarantined_at = quarantined_at - $1::interval, looked_at = looked_at - $1::interval`,
    [by],
  );
  await owner.query('update vault.sweeps set swept_to = swept_to - $1::interval', [by]);
};
const inQuarantine = async (): Promise<string[]> =>
  (
    await owner.query<{ id: string }>(
      'select payload_id as id from vault.quarantined_payloads order by payload_id',
    )
  ).rows.map(({ id }) => id);
const idsOf = (payloads: readonly Stored[]): string[] => payloads.map(({ id }) => id).sort();
const stopOf = async (): Promise<string | null> =>
  (await owner.query<{ stopped: string | null }>('select stopped from vault.sweeps')).rows[0]?.stopped ??
  null;
const all = (count: number, value: boolean): boolean[] => Array.from({ length: count }, () => value);

test.before.each(async () => {
  await owner.query(
    'delete from vault.payloads; delete from vault.quarantined_payloads; delete from vault.sweeps',
  );
});

test('given orphans younger than an hour, when swept, then nobody asks for them', async () => {
  await storeSome(3);
  await age('59 minutes');
  // The clocks of the hosts say nothing.
  clock.advance(2 * hour);
  const swept = await sweep({ isReferenced: () => Promise.reject(new Error('asked')) });
  assert.equal(swept, { quarantined: 0, restored: 0, deleted: 0 });
});

test('given payloads older than an hour, when swept, then those that no event refers to are in quarantine, and readable', async () => {
  const before = await storeSome(450);
  await age('61 minutes');
  const referenced = new Set(before.filter((_, index) => index % 3 !== 0).map(({ id }) => id));
  const asked = new Map<string, string>();
  const isReferenced = (tenantId: string, stream: string, id: string): Promise<boolean> => {
    asked.set(id, `${tenantId} ${stream}`);
    return Promise.resolve(referenced.has(id));
  };
  assert.equal(await sweep({ isReferenced }), { quarantined: 150, restored: 0, deleted: 0 });
  assert.equal(await inQuarantine(), idsOf(before.filter(({ id }) => !referenced.has(id))));
  assert.equal(await present(before), all(450, true));
  for (const { id, tenantId, stream } of before) assert.is(asked.get(id), `${tenantId} ${stream}`);

  asked.clear();
  const fresh = await storeSome(1);
  await age('61 minutes');
  assert.is((await sweep({ isReferenced })).quarantined, 1);
  assert.ok(asked.has(fresh[0]?.id ?? ''));
  for (const id of referenced) assert.not.ok(asked.has(id), 'what has an event is looked at once');
});

test('given orphans in quarantine, when their days are over, then they are deleted', async () => {
  const orphans = await storeSome(5);
  await age('61 minutes');
  await sweep();
  await age('6 days 23 hours');
  assert.is((await sweep()).deleted, 0);
  assert.equal(await present(orphans), all(5, true));
  await age('2 hours');
  assert.equal(await sweep(), { quarantined: 0, restored: 0, deleted: 5 });
  assert.equal(await present(orphans), all(5, false));
  assert.equal(await inQuarantine(), []);
  const { rows } = await owner.query('select from vault.blind_indexes where payload_id = any($1::uuid[])', [
    idsOf(orphans),
  ]);
  assert.is(rows.length, 0);
});

test('given orphans in quarantine, when their event shows up, then they are restored, also on the last day', async () => {
  const [early, late] = [await storeSome(2), await storeSome(2)];
  await age('61 minutes');
  await sweep();
  await age('1 day');
  const shown = new Set(idsOf(early));
  const isReferenced: IsReferenced = (_tenantId, _stream, id) => Promise.resolve(shown.has(id));
  assert.equal(await sweep({ isReferenced }), { quarantined: 0, restored: 2, deleted: 0 });
  assert.equal(await inQuarantine(), idsOf(late));
  await age('7 days');
  // Its look for events has just been.
  await owner.query('update vault.quarantined_payloads set looked_at = now()');
  for (const id of idsOf(late)) shown.add(id);
  assert.is((await sweep({ isReferenced })).deleted, 0);
  assert.equal(await inQuarantine(), []);
  assert.equal(await present([...early, ...late]), all(4, true));
});

test('given a command that is repeated after an hour, when swept before its append, then its payload stays', async () => {
  const [payload] = await storeSome(1);
  assert.ok(payload);
  await age('8 days');
  const again = () => vault.storeAll([{ ...payload, data: 0, blindIndexes: [] }]);
  await again();
  assert.equal(await sweep(), { quarantined: 0, restored: 0, deleted: 0 });

  // The log is asked, the days are over, and then the command is repeated.
  await age('61 minutes');
  assert.is((await sweep()).quarantined, 1);
  await age('8 days');
  let requires = 0;
  const requireLog = async (): Promise<void> => {
    requires += 1;
    if (requires === 2) await again();
  };
  assert.is((await sweep({ requireLog })).deleted, 0);
  assert.is(requires, 2);
  assert.equal(await present([payload]), [true]);
  await sweep();
  assert.equal(await inQuarantine(), []);
});

test('given the same payload twice in one statement, when it is stored, then it is there once', async () => {
  const payload = {
    id: randomUUID(),
    tenantId: tenants[0] ?? '',
    stream: 'token-twice',
    data: 1,
    blindIndexes: [Buffer.of(1)],
  };
  await vault.storeAll([payload, payload, payload]);
  assert.equal(await present([payload]), [true]);
});

test('given a log that is not the right one, when swept, then nothing is put into quarantine or deleted', async () => {
  const orphans = await storeSome(3);
  await age('61 minutes');
  await sweep();
  const fresh = await storeSome(3);
  await age('8 days');
  const stopped = await failureOf(
    sweep({ requireLog: () => Promise.reject(new WrongLog('this is another log')) }),
  );
  assert.instance(stopped, SweepStopped);
  assert.is(await stopOf(), 'this is another log');
  assert.equal(await inQuarantine(), idsOf(orphans));
  assert.equal(await present([...orphans, ...fresh]), all(6, true));
  // As soon as the right one is back, it goes on.
  assert.equal(await sweep(), { quarantined: 3, restored: 0, deleted: 3 });
  assert.is(await stopOf(), null);
});

test('given a log that is swapped in the middle of a sweep, then nothing is deleted', async () => {
  const orphans = await storeSome(3);
  await age('61 minutes');
  await sweep();
  await age('8 days');
  let requires = 0;
  const requireLog = (): Promise<void> => {
    requires += 1;
    return requires === 1 ? Promise.resolve() : Promise.reject(new WrongLog('swapped'));
  };
  assert.instance(await failureOf(sweep({ requireLog })), SweepStopped);
  assert.equal(await present(orphans), all(3, true));
});

test('given more orphans than are plausible, when swept, then the sweep stops, and deletes nothing', async () => {
  const payloads = await storeSome(100);
  await age('61 minutes');
  const lost = new Set(idsOf(payloads).slice(0, 21));
  const isReferenced: IsReferenced = (_tenantId, _stream, id) => Promise.resolve(!lost.has(id));
  const implausible = await failureOf(sweep({ isReferenced, plausibleShare: 20 }));
  assert.instance(implausible, SweepStopped);
  assert.match(implausible.message, /^21 payloads, more than 20 % of all, have no event/);
  await age('8 days');
  assert.instance(await failureOf(sweep({ isReferenced, plausibleShare: 20 })), SweepStopped);
  assert.equal(await present(payloads), all(100, true));
  assert.match((await stopOf()) ?? '', /^21 payloads/);
  const metrics = await createSweepMetrics(owner).metrics();
  assert.match(metrics, /^holdfast_orphan_sweep_stopped 1$/m);
  assert.match(metrics, /^holdfast_quarantined_payloads 21$/m);
  assert.is((await sweep({ isReferenced, plausibleShare: 21 })).deleted, 21);
  assert.is(await stopOf(), null);
});

test('given a log that cannot be read in the middle, when swept again, then the rest is looked at', async () => {
  const payloads = await storeSome(10);
  await age('61 minutes');
  const broken = sweep({ isReferenced: () => Promise.reject(new Error('the log is gone')) });
  assert.is((await failureOf(broken)).message, 'the log is gone');
  assert.equal(await present(payloads), all(10, true));
  assert.is((await sweep()).quarantined, 10);
});

test.after(fixture.close);
test.run();
