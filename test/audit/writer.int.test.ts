import { randomUUID } from 'node:crypto';
import { cp, rm, writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuditedEvents } from '#infra/audit/auditedEvents.ts';
import { auditTrail } from '#subscribers/auditTrail.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
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

const newEvent = (): RecordedEvent => ({
  id: randomUUID(),
  stream: `token-${tenantId}.a`,
  revision: 0n,
  position: '1',
  ordinal: 1n,
  type: 'token.created',
  data: { id: 'a' },
  metadata: {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' },
    trace_id: randomUUID(),
    command_id: randomUUID(),
    schema_version: 1,
    occurred_at: '2030-01-02T03:04:05.678Z',
  },
});

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
    // Nobody was told of those that were refused, and they are not there.
    assert.equal(
      (await rows()).map((row) => row['entity_id']),
      ['a token', 'later'],
    );
    const written = await rows();
    assert.is(written.at(-1)?.['entity_id'], 'later');
    assert.is(written.at(-1)?.['sequence'], String(written.length));
    assert.equal((await workshop.verify()).faults, []);
  },
);

writing(
  'given entries that came while a batch was being stored, when that batch fails, then they follow what came before it',
  async () => {
    const { audit } = workshop.database.pools;
    const writer = workshop.writer();
    await writer.record([entry()]);
    const query = audit.query.bind(audit);
    const held = Promise.withResolvers<undefined>();
    const sent = Promise.withResolvers<undefined>();
    audit.query = (async () => {
      sent.resolve(undefined);
      await held.promise;
      audit.query = query;
      throw new Error('Connection terminated unexpectedly');
    }) as unknown as typeof audit.query;
    const first = writer.record([entry({ entityId: 'first' })]);
    await sent.promise;
    const second = writer.record([entry({ entityId: 'second' })]);
    held.resolve(undefined);
    const outcomes = await Promise.allSettled([first, second]);
    assert.equal(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.equal(
      (await rows()).map((row) => row['entity_id']),
      ['a token', 'second'],
    );
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

writing('given a database that throws entries away, then nothing is acknowledged', async () => {
  await workshop.database.pools.owner.query(
    `create function audit.swallow() returns trigger language plpgsql as 'begin return null; end';
     create trigger swallow before insert on audit.entries for each row execute function audit.swallow()`,
  );
  const [outcome] = await Promise.allSettled([workshop.writer().record([entry()])]);
  assert.is(outcome.status, 'rejected');
});

writing(
  'given entries that somebody removed, then it goes on in a new chain, and the old one tells',
  async () => {
    const ids = [randomUUID(), randomUUID()];
    const writer = workshop.writer(() => ids.shift() ?? '');
    const [first] = ids;
    await writer.record([entry(), entry()]);
    await workshop.database.pools.owner.query('delete from audit.entries where sequence = 2');
    await writer.record([entry({ entityId: 'after' })]);
    const { faults } = await workshop.verify();
    assert.equal(
      faults.map(({ writerId, sequence }) => [writerId, sequence]),
      [[first, 2]],
    );
  },
);

writing('given heads that are moved away and put back, then the newest head is there again', async () => {
  const writer = workshop.writer();
  await writer.record([entry()]);
  await writer.record([entry()]);
  await cp(workshop.directory, `${workshop.directory}-copy`, { recursive: true });
  await rm(workshop.directory, { recursive: true });
  await cp(`${workshop.directory}-copy`, workshop.directory, { recursive: true });
  await rm(`${workshop.directory}-copy`, { recursive: true });
  for (let count = 0; count < 4; count++) await writer.record([entry()]);
  await writer.close();
  await workshop.database.pools.owner.query('delete from audit.entries where sequence > 3');
  assert.match((await workshop.verify()).faults[0]?.what ?? '', /cut off/);
});

writing(
  'given events whose entries were stored and whose answer was lost, then they are there once',
  async () => {
    const { owner } = workshop.database.pools;
    const trail = auditTrail(workshop.writer(), createAuditedEvents(owner));
    const events = [newEvent(), newEvent()];
    await owner.query('alter table audit.entries rename to hidden');
    await Promise.allSettled([trail.handle(events)]);
    await owner.query('alter table audit.hidden rename to entries');
    await trail.handle(events);
    await trail.handle(events);
    assert.is((await rows()).length, 2);
    assert.equal((await workshop.verify()).faults, []);
  },
);

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
