import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendLines } from '#infra/audit/appendLines.ts';
import { firstTag, nextTag } from '#infra/audit/chain.ts';
import { bodyOf, lineOf } from '#infra/audit/line.ts';
import { createAuditWorkshop, entry } from '#test/audit/support/workshop.ts';
import type { AuditWorkshop } from '#test/audit/support/workshop.ts';

let workshop: AuditWorkshop;
const registering = suite('audit: the register of writers');

registering.before.each(async () => {
  workshop = await createAuditWorkshop();
});
registering.after.each(() => workshop.close());

const owner = () => workshop.database.pools.owner;
const countFile = () => join(workshop.directory, 'writers.head');

/** A chain of one entry, as a command of an operator leaves it. */
async function command(): Promise<string> {
  const writerId = randomUUID();
  const writer = workshop.writer(() => writerId);
  await writer.record([entry({ operation: 'backup' })]);
  await writer.close();
  return writerId;
}

/** A chain as it was written before there was a register. */
async function olderChain(): Promise<string> {
  const { key, anchors, database } = workshop;
  const writerId = randomUUID();
  const anchor = await anchors.open(writerId);
  const line = lineOf(1, bodyOf(entry()));
  const tag = nextTag(key, firstTag(key, writerId), line);
  await appendLines(database.pools.audit, writerId, 1, [`${line}\t${tag}`]);
  await anchor.write({ writerId, sequence: 1, tag });
  return writerId;
}

/** By somebody who can write to both the database and the heads. */
async function removeWithHead(writerId: string): Promise<void> {
  await owner().query('delete from audit.entries where writer_id = $1', [writerId]);
  await rm(join(workshop.directory, `${writerId}.head`));
}

const unregister = (writerId: string) =>
  owner().query('delete from audit.writers where writer_id = $1', [writerId]);
const faults = async () => (await workshop.verify()).faults.map(({ writerId, what }) => [writerId, what]);
const numbers = async () =>
  (await owner().query<{ number: string }>('select number from audit.writers order by number')).rows.map(
    (row) => Number(row.number),
  );

registering('given writers that begin at once, then each has a number, and all is whole', async () => {
  await Promise.all(Array.from({ length: 8 }, command));
  assert.equal(await numbers(), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(await workshop.verify(), { entries: 8, writers: 8, faults: [] });
});

registering('given a chain that is removed with its head, then it is named', async () => {
  await command();
  const lost = await command();
  await command();
  await removeWithHead(lost);
  assert.equal(await faults(), [[lost, 'the whole chain was removed: the register has its first entry']]);
});

registering(
  'given a chain that is removed with its head, and with all that the register has of it, then the count tells',
  async () => {
    await command();
    const lost = await command();
    await removeWithHead(lost);
    await unregister(lost);
    assert.equal(await faults(), [
      ['of all writers', 'writers are missing from the register: 2 were signed'],
    ]);
    // Whoever writes next does not cover it up.
    await command();
    assert.equal(await faults(), [
      ['of all writers', 'writers were removed from the register, or their signed number was lost'],
    ]);
  },
);

registering(
  'given a count that is removed, spoilt or lowered, then that is found, also after the next writer',
  async () => {
    const before = await command().then(() => readFile(countFile()));
    const lost = await command();
    const later = await command();
    await writeFile(countFile(), before.toString().replaceAll('"count":1', '"count":0'));
    assert.match(String(await faults()), /of all writers,the number of writers is signed nowhere/);
    await rm(countFile());
    assert.match(String(await faults()), /of all writers,the number of writers is signed nowhere/);
    await command();
    assert.match(String(await faults()), /of all writers,writers were removed from the register, or their/);

    // An earlier count, with everything that came after it taken out of the register: chains know that they were later.
    await writeFile(countFile(), before);
    await owner().query('delete from audit.writers where number > 1');
    await removeWithHead(lost);
    const found = await faults();
    assert.ok(found.some(([writerId]) => writerId === later));
    assert.ok(
      found.every(
        ([, what]) => what === 'the entry was changed, or its writer was removed from the register',
      ),
    );
  },
);

registering('given a register that is edited, then that is found', async () => {
  const [first, second] = [await command(), await command()];
  const statements = [
    `update audit.writers set first_tag = repeat('0', 64) where writer_id = '${first}'`,
    `update audit.writers set writer_id = '${randomUUID()}' where writer_id = '${second}'`,
    `update audit.writers set is_older = true where writer_id = '${second}'`,
    `update audit.writers set tag = repeat('0', 64) where writer_id = '${second}'`,
    `update audit.writers set number = 3 where writer_id = '${second}'`,
    'delete from audit.writers',
  ];
  for (const statement of statements) {
    const kept = await owner().query<Record<string, unknown>>('select * from audit.writers order by number');
    await owner().query(statement);
    assert.ok((await faults()).length > 0, statement);
    await owner().query('delete from audit.writers');
    for (const row of kept.rows) {
      await owner().query(
        'insert into audit.writers select * from json_populate_record(null::audit.writers, $1)',
        [row],
      );
    }
    assert.equal(await faults(), [], statement);
  }
});

registering(
  'given chains from before there was a register, then nothing is wrong, and the first writer enters them',
  async () => {
    const older = [await olderChain(), await olderChain()];
    assert.equal(await workshop.verify(), { entries: 2, writers: 2, faults: [] });
    await command();
    assert.equal(await workshop.verify(), { entries: 3, writers: 3, faults: [] });
    assert.equal(await numbers(), [1, 2, 3]);
    // A process of the version before may still begin a chain.
    await olderChain();
    assert.equal(await faults(), []);
    await removeWithHead(String(older[0]));
    assert.equal(await faults(), [
      [older[0], 'the whole chain was removed: the register has its first entry'],
    ]);
  },
);

registering(
  'given a process that ended before it signed the count, then nothing is wrong, and the next one goes on',
  async () => {
    await command();
    const before = await readFile(countFile());
    await command();
    await writeFile(countFile(), before);
    assert.equal(await faults(), []);
    await command();
    assert.equal(await numbers(), [1, 2, 3]);
    assert.equal(await faults(), []);
  },
);

registering('given a first batch whose outcome was lost, then its writer is registered once', async () => {
  const { audit } = workshop.database.pools;
  const query = audit.query.bind(audit);
  audit.query = (async (...given: [string, unknown[]]) => {
    const answered = await query(...given);
    if (!given[0].includes('append_first')) return answered;
    audit.query = query;
    throw new Error('Connection terminated unexpectedly');
  }) as unknown as typeof audit.query;
  const writer = workshop.writer();
  const [lost] = await Promise.allSettled([writer.record([entry()])]);
  assert.is(lost.status, 'rejected');
  await writer.record([entry({ entityId: 'next' })]);
  assert.equal(await numbers(), [1]);
  assert.equal(await workshop.verify(), { entries: 2, writers: 1, faults: [] });
});

registering.run();
