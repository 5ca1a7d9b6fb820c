import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '#infra/audit/verify.ts';
import { seededRandom } from '#src/seededRandom.ts';
import { manipulations } from '#test/audit/support/manipulations.ts';
import { createAuditWorkshop, entry } from '#test/audit/support/workshop.ts';
import type { AuditWorkshop } from '#test/audit/support/workshop.ts';

const tries = 1_000;
const length = 60;

let workshop: AuditWorkshop;
const verifying = suite('audit: verifying');

verifying.before.each(async () => {
  workshop = await createAuditWorkshop();
});
verifying.after.each(() => workshop.close());

async function writeChains(): Promise<string[]> {
  const writers = [randomUUID(), randomUUID()];
  for (const writerId of writers) {
    const writer = workshop.writer(() => writerId);
    for (let batch = 0; batch < length / 20; batch++) {
      await writer.record(
        Array.from({ length: 20 }, (_, index) =>
          entry({
            entityId: `t${batch}-${index}`,
            traceId: randomUUID(),
            event: index % 2 === 0 ? { id: randomUUID(), digest: 'cd'.repeat(32) } : undefined,
          }),
        ),
      );
    }
  }
  return writers;
}

verifying(`given ${tries} random manipulations, then each one is found`, async () => {
  const { database, key, anchors } = workshop;
  const writers = await writeChains();
  const random = seededRandom('manipulations');
  const pick = (from: number, to: number): number => from + random(to - from + 1);
  const client = await database.pools.owner.connect();
  const kinds = Object.entries(manipulations);
  const found: Record<string, number> = {};
  try {
    for (let index = 0; index < tries; index++) {
      const [name, manipulate] = kinds[index % kinds.length] as (typeof kinds)[number];
      await client.query('begin');
      await manipulate({ client, key, writers, length, pick });
      const { faults } = await verifyAudit({ database: client, key, anchors });
      await client.query('rollback');
      assert.ok(faults.length > 0, `try ${index} of ${name} was not found`);
      found[name] = (found[name] ?? 0) + 1;
    }
  } finally {
    client.release();
  }
  assert.is(Object.keys(found).length, kinds.length);
  assert.equal(await workshop.verify(), { entries: 2 * length, writers: 2, faults: [] });
});

verifying('given an entry that was edited, then it is named, with the time of the one before', async () => {
  const [writerId] = await writeChains();
  await workshop.database.pools.owner.query(
    `update audit.entries set outcome = 'refused' where writer_id = $1 and sequence = 17`,
    [writerId],
  );
  assert.equal((await workshop.verify()).faults, [
    {
      writerId,
      sequence: 17,
      after: new Date('2030-01-02T03:04:05.678Z'),
      what: 'the entry was changed, or belongs elsewhere',
    },
  ]);
});

verifying('given a cut tail, then the first entry that is missing is named', async () => {
  const [writerId] = await writeChains();
  await workshop.database.pools.owner.query(
    'delete from audit.entries where writer_id = $1 and sequence > 40',
    [writerId],
  );
  const [fault, ...others] = (await workshop.verify()).faults;
  assert.equal(others, []);
  assert.is(fault?.sequence, 41);
  assert.is(fault?.what, `the end was cut off: entries up to ${length} were anchored`);
});

verifying(
  'given a head that is lost, forged or cut short, then its chain is no longer vouched for',
  async () => {
    const [writerId = ''] = await writeChains();
    const path = join(workshop.directory, `${writerId}.head`);
    const whole = await readFile(path);
    const faultOf = async (): Promise<string | undefined> => (await workshop.verify()).faults[0]?.what;
    await rm(path);
    assert.match((await faultOf()) ?? '', /no anchored head/);
    await writeFile(path, whole.toString().replaceAll('"sequence":', '"sequence":1'));
    assert.match((await faultOf()) ?? '', /damaged or forged/);
    // A crash can spoil one of the two copies: the other one is a little older, and still good.
    await writeFile(path, Buffer.concat([Buffer.alloc(256), whole.subarray(256)]));
    assert.is(await faultOf(), undefined);
    assert.is((await readdir(workshop.directory)).length, 3);
  },
);

verifying('given entries that are written while it verifies, then nothing is wrong', async () => {
  const writer = workshop.writer();
  let writing = true;
  const written = (async () => {
    for (let count = 0; writing; count++) await writer.record([entry({ entityId: `t${count}` })]);
  })();
  for (let round = 0; round < 20; round++) {
    if (round % 5 === 0) await workshop.writer().record([entry()]);
    assert.equal((await workshop.verify()).faults, []);
  }
  writing = false;
  await written;
});

verifying.run();
