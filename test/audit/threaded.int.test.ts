import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createThreadedAudit } from '#infra/audit/threaded.ts';
import type { AuditWriter } from '#infra/audit/writer.ts';
import { AuditUnavailable } from '#ports/audit.ts';
import { createAuditWorkshop, entry } from '#test/audit/support/workshop.ts';
import type { AuditWorkshop } from '#test/audit/support/workshop.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

let workshop: AuditWorkshop;
let audit: AuditWriter;
const threaded = suite('audit: in a thread');

threaded.before.each(async () => {
  workshop = await createAuditWorkshop();
  audit = createThreadedAudit({
    connection: workshop.database.connection,
    directory: workshop.directory,
    key: () => Promise.resolve(workshop.key),
    logger: silentLogger,
  });
});
threaded.after.each(async () => {
  await audit.close();
  await workshop.close();
});

const refused = async (recording: Promise<void>): Promise<void> => {
  const [outcome] = await Promise.allSettled([recording]);
  assert.instance(outcome.status === 'rejected' && outcome.reason, AuditUnavailable);
};

threaded('given many who record at once, then each entry is there when it is acknowledged', async () => {
  const { owner } = workshop.database.pools;
  for (let round = 0; round < 5; round++) {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    await Promise.all(ids.map((entityId) => audit.record([entry({ entityId })])));
    const { rows } = await owner.query<{ found: string }>(
      'select count(*) as found from audit.entries where entity_id = any($1)',
      [ids],
    );
    assert.is(rows[0]?.found, '40');
  }
  assert.equal(await workshop.verify(), { entries: 200, writers: 1, faults: [] });
});

threaded(
  'given a database that refuses, then nothing is acknowledged until it takes entries again',
  async () => {
    const { owner } = workshop.database.pools;
    await audit.record([entry()]);
    await owner.query('alter table audit.entries rename to hidden');
    await refused(audit.record([entry()]));
    await owner.query('alter table audit.hidden rename to entries');
    await audit.record([entry()]);
    assert.equal((await workshop.verify()).faults, []);
  },
);

threaded('given it is closed, then what was recorded is whole, and nothing more is taken', async () => {
  const recorded = Array.from({ length: 20 }, () => audit.record([entry()]));
  await Promise.all(recorded);
  await audit.close();
  await refused(audit.record([entry()]));
  assert.equal(await workshop.verify(), { entries: 20, writers: 1, faults: [] });
});

threaded(
  'given the key cannot be loaded, then nothing is acknowledged, and the next try may succeed',
  async () => {
    let tries = 0;
    const late = createThreadedAudit({
      connection: workshop.database.connection,
      directory: workshop.directory,
      key: () => (tries++ === 0 ? Promise.reject(new Error('gone')) : Promise.resolve(workshop.key)),
      logger: silentLogger,
    });
    await refused(late.record([entry()]));
    await late.record([entry()]);
    await late.close();
    assert.equal(await workshop.verify(), { entries: 1, writers: 1, faults: [] });
  },
);

threaded.run();
