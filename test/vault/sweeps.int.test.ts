import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweepExpired } from '#infra/vault/sweeps/sweepExpired.ts';
import { sweepOrphans } from '#infra/vault/sweeps/sweepOrphans.ts';
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

test('given orphans younger than an hour, when swept, then nobody asks for them', async () => {
  await storeSome(3);
  clock.advance(hour - 1);
  const asked = await sweepOrphans(owner, clock.now(), () => Promise.reject(new Error('asked')));
  assert.is(asked, 0);
});

test('given payloads older than an hour, when swept, then only those that no event refers to go', async () => {
  const before = await storeSome(450);
  clock.advance(hour + 1);
  const referenced = new Set(before.filter((_, index) => index % 3 !== 0).map(({ id }) => id));
  const asked = new Map<string, string>();
  const isReferenced = (tenantId: string, stream: string, id: string): Promise<boolean> => {
    asked.set(id, `${tenantId} ${stream}`);
    return Promise.resolve(referenced.has(id));
  };
  assert.ok((await sweepOrphans(owner, clock.now(), isReferenced)) >= 150);
  assert.equal(
    await present(before),
    before.map(({ id }) => referenced.has(id)),
  );
  for (const { id, tenantId, stream } of before) assert.is(asked.get(id), `${tenantId} ${stream}`);

  asked.clear();
  const fresh = await storeSome(1);
  clock.advance(hour + 1);
  assert.is(await sweepOrphans(owner, clock.now(), isReferenced), 1);
  assert.equal([...asked.keys()], [fresh[0]?.id]);
});

test('given a log that cannot be read in the middle, when swept again, then the rest is looked at', async () => {
  const payloads = await storeSome(10);
  clock.advance(hour + 1);
  const broken = sweepOrphans(owner, clock.now(), () => Promise.reject(new Error('the log is gone')));
  assert.is((await failureOf(broken)).message, 'the log is gone');
  assert.is((await present(payloads)).filter(Boolean).length, 10);
  assert.is(await sweepOrphans(owner, clock.now(), () => Promise.resolve(false)), 10);
});

test.after(fixture.close);
test.run();
