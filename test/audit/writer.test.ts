import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AuditUnavailable } from '#ports/audit.ts';
import { createAuditWorkshop, entry, tenantId } from '#test/audit/support/workshop.ts';
import type { AuditWorkshop } from '#test/audit/support/workshop.ts';

let workshop: AuditWorkshop;
const writing = suite('audit: writing');

writing.before.each(async () => {
  workshop = await createAuditWorkshop();
});
writing.after.each(() => workshop.close());

const rows = async (): Promise<Record<string, unknown>[]> =>
  (await workshop.database.pools.owner.query('select * from audit.entries order by writer_id, sequence'))
    .rows;

writing('given an entry, when it is recorded, then every column says what was given', async () => {
  const event = { id: randomUUID(), digest: 'ab'.repeat(32) };
  await workshop.writer().record([entry({ event, outcome: 'refused', status: 403 })]);
  const [row] = await rows();
  assert.match(String(row?.['tag']), /^[0-9a-f]{64}$/);
  assert.equal(row, {
    writer_id: row?.['writer_id'],
    tag: row?.['tag'],
    sequence: '1',
    occurred_at: new Date('2030-01-02T03:04:05.678Z'),
    tenant_id: tenantId,
    actor_type: 'application',
    actor_id: '22222222-2222-4222-8222-222222222222',
    key_id: '33333333-3333-4333-8333-333333333333',
    operation: 'read',
    entity_type: 'token',
    entity_id: 'a token',
    outcome: 'refused',
    status: 403,
    detail: 'mask',
    address: '127.0.0.1',
    trace_id: '44444444-4444-4444-8444-444444444444',
    event_id: event.id,
    event_digest: event.digest,
  });
});

writing('given texts that would break a line, then they are kept on it, and the chain verifies', async () => {
  const texts = ['a\tb', 'a\nb', 'a\u0000b', 'a\ud800b', '\\N', 'back\\slash', '', 'ünï 😀'];
  await workshop.writer().record(texts.map((entityId) => entry({ entityId, tenantId: undefined })));
  assert.equal(
    (await rows()).map((row) => row['entity_id']),
    ['a b', 'a b', 'a b', 'a\ufffdb', '\\N', 'back\\slash', '', 'ünï 😀'],
  );
  assert.equal((await workshop.verify()).faults, []);
});

writing('given many who record at once, then each is numbered and found, in few statements', async () => {
  const writer = workshop.writer();
  await Promise.all(
    Array.from({ length: 500 }, (_, index) => writer.record([entry({ entityId: `t${index}` })])),
  );
  const written = await rows();
  assert.equal(
    written.map((row) => row['sequence']),
    Array.from({ length: 500 }, (_, index) => String(index + 1)),
  );
  assert.is(new Set(written.map((row) => row['entity_id'])).size, 500);
});

writing('given several writers, then each has a chain of its own and all verify', async () => {
  const writers = [workshop.writer(), workshop.writer(), workshop.writer()];
  await Promise.all(
    writers.flatMap((writer) => Array.from({ length: 30 }, () => writer.record([entry(), entry()]))),
  );
  assert.equal(await workshop.verify(), { entries: 180, writers: 3, faults: [] });
});

writing(
  'given a database that refuses, then nothing is acknowledged, and later the chain goes on whole',
  async () => {
    const { owner } = workshop.database.pools;
    const writer = workshop.writer();
    await writer.record([entry()]);
    await owner.query('alter table audit.entries rename to hidden');
    const refused = await Promise.allSettled([writer.record([entry()]), writer.record([entry()])]);
    for (const outcome of refused) {
      assert.is(outcome.status, 'rejected');
      if (outcome.status === 'rejected') assert.instance(outcome.reason, AuditUnavailable);
    }
    await owner.query('alter table audit.hidden rename to entries');
    await writer.record([entry({ entityId: 'later' })]);
    // Those that were refused may be there: what is not known is written before anything else.
    const written = await rows();
    assert.is(written.at(-1)?.['entity_id'], 'later');
    assert.is(written.at(-1)?.['sequence'], String(written.length));
    assert.equal((await workshop.verify()).faults, []);
  },
);

writing(
  'given a batch of which nobody knows whether it was stored, then storing it again adds nothing',
  async () => {
    const { audit } = workshop.database.pools;
    const writer = workshop.writer();
    await writer.record([entry()]);
    const query = audit.query.bind(audit);
    // The answer is lost after the statement was carried out.
    audit.query = (async (config: pg.QueryConfig) => {
      await query(config);
      audit.query = query;
      throw new Error('Connection terminated unexpectedly');
    }) as unknown as typeof audit.query;
    const [lost] = await Promise.allSettled([writer.record([entry({ entityId: 'lost' })])]);
    assert.is(lost.status, 'rejected');
    await writer.record([entry({ entityId: 'next' })]);
    assert.equal(
      (await rows()).map((row) => row['entity_id']),
      ['a token', 'lost', 'next'],
    );
    assert.equal((await workshop.verify()).faults, []);
  },
);

writing('given heads that cannot be written, then nothing is acknowledged', async () => {
  await rm(workshop.directory, { recursive: true });
  await writeFile(workshop.directory, 'a file where a directory should be');
  const [outcome] = await Promise.allSettled([workshop.writer().record([entry()])]);
  assert.is(outcome.status, 'rejected');
  assert.equal(await rows(), []);
});

writing('given the role of the service, then it can change and delete nothing', async () => {
  await workshop.writer().record([entry()]);
  for (const statement of [
    `update audit.entries set entity_id = 'another'`,
    'delete from audit.entries',
    'truncate audit.entries',
  ]) {
    await workshop.database.pools.api.query(statement).then(
      () => assert.unreachable(statement),
      (error: Error) => assert.match(error.message, /permission denied/),
    );
  }
  assert.is((await rows()).length, 1);
});

writing.run();
