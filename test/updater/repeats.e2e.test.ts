import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJob } from '#commands/accountUpdater/create.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import { systemContext } from '#commands/systemContext.ts';
import { createJobQueue } from '#infra/jobs/queue.ts';
import type { CardInquiry } from '#ports/cardNetworks.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { randomId } from '#src/identifiers.ts';
import { beginUpdate } from '#src/jobs/beginUpdate.ts';
import { updateChunk } from '#src/jobs/updateChunk.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { header, inParts } from '#test/updater/support/files.ts';
import { createCard } from '#test/updater/support/service.ts';

let service: VaultService;
const repeats = suite('tokens that stand in a file more than once');

repeats.before(async () => {
  service = await startVaultService({ invocations: { updatesElsewhere: true } });
});
repeats.after(() => service.close());

const settings = { concurrency: 1, concurrencyOfTenant: 1 };
/** The first is replaced, of the second nothing has changed. */
const [replaced, unchanged] = ['4111111111111111', '4711358892785746'];

async function cards(): Promise<{ replaced: string; unchanged: string }> {
  const expiration = { expiration_month: 12, expiration_year: 2024 };
  return {
    replaced: await createCard(service, { number: replaced, ...expiration }),
    unchanged: await createCard(service, { number: unchanged, ...expiration }),
  };
}

/** Works a file off, its chunks in the given order, and tells what the networks were asked. */
async function run(rows: readonly string[], order: readonly number[]) {
  const asked: CardInquiry[] = [];
  const { cardNetworks } = service.composition;
  const composition = {
    ...service.composition,
    cardNetworks: {
      ask: (...[batch, ...rest]: Parameters<typeof cardNetworks.ask>) => {
        asked.push(...batch.cards);
        return cardNetworks.ask(batch, ...rest);
      },
    },
  };
  const context = {
    ...systemContext(service.tenantId, { type: 'system', id: 'test' }),
    commandId: randomId(),
  };
  const { result } = await createJob(composition, context);
  const subject = { tenantId: service.tenantId, id: 'id' in result ? result.id : '' };
  const content = Buffer.from([header, ...rows].join('\n'));
  const key = objectKeys.request(subject.tenantId, subject.id);
  await composition.objects.write(key, inParts(content), content.length);
  await recordUpload(composition, subject, { bytes: content.length });
  await beginUpdate(composition, settings).run(subject);
  const queue = createJobQueue(composition.pools.owner);
  const task = updateChunk(composition, { ...settings, queue });
  for (const chunk of order) await task.run({ ...subject, id: `${subject.id}/${chunk}` });
  const file: Uint8Array[] = [];
  const read = await composition.objects.read(objectKeys.result(subject.tenantId, subject.id));
  for await (const part of read) file.push(part);
  const lines = Buffer.concat(file).toString().trim().split('\n').slice(1);
  return { asked, cells: lines.map((line) => line.split(',')) };
}

repeats(
  'given a token three times in a row, then one inquiry and one new token, in each of its rows',
  async () => {
    const ids = await cards();
    const rows = [
      `${ids.replaced},24,13,1`,
      `${ids.replaced},,,1`,
      `${ids.unchanged},,,1`,
      `${ids.replaced},,,1`,
      `${ids.unchanged},,,1`,
      `${ids.replaced},30,01,2`,
    ];
    const { asked, cells } = await run(rows, [0]);
    assert.equal(asked.map(({ number }) => number).sort(), [replaced, unchanged]);
    assert.equal(
      cells.map(([token, year, , , , , code]) => [token, year, code]),
      [
        [ids.replaced, '24', 'ERR_INVALID_EXP_DATE'],
        [ids.replaced, '', 'UPD_PAN'],
        [ids.replaced, '', 'UPD_PAN'],
        [ids.replaced, '30', 'UPD_PAN'],
      ],
    );
    const made = new Set(cells.slice(1).map(([, , , id]) => id));
    assert.is(made.size, 1);
    assert.ok(![...made].includes(''));
  },
);

repeats(
  'given tokens again in later chunks, then they wait for the first, and nobody is asked again',
  async () => {
    const ids = await cards();
    const filler = (from: number) =>
      Array.from({ length: 1_999 }, (_, index) => `nobody-${from + index},,,1`);
    const rows = [
      `${ids.replaced},,,1`,
      ...filler(0),
      `${ids.unchanged},,,1`,
      ...filler(10_000),
      `${ids.unchanged},,,1`,
      `${ids.replaced},,,1`,
    ];
    // The last is too early twice: it is put off until both before it are done.
    const { asked, cells } = await run(rows, [2, 1, 2, 0, 2]);
    assert.equal(asked.map(({ number }) => number).sort(), [replaced, unchanged]);
    const found = cells.filter(([token]) => token === ids.replaced || token === ids.unchanged);
    assert.equal(
      found.map(([token, , , , , , code]) => [token, code]),
      [
        [ids.replaced, 'UPD_PAN'],
        [ids.replaced, 'UPD_PAN'],
      ],
    );
    assert.is(new Set(found.map(([, , , id]) => id)).size, 1);
    assert.ok(found[0]?.[3]);
  },
);

repeats(
  'given a first row that is wrong, then the next good one is asked about, once in all chunks',
  async () => {
    const ids = await cards();
    const filler = Array.from({ length: 1_999 }, (_, index) => `nobody-${index},,,1`);
    const rows = [
      `${ids.replaced},24,13,1`,
      ...filler,
      `${ids.replaced},,,1`,
      ...filler,
      `${ids.replaced},,,1`,
    ];
    const { asked, cells } = await run(rows, [0, 1, 2]);
    assert.is(asked.length, 1);
    const found = cells.filter(([token]) => token === ids.replaced);
    assert.equal(
      found.map(([, , , , , , code]) => code),
      ['ERR_INVALID_EXP_DATE', 'UPD_PAN', 'UPD_PAN'],
    );
    assert.is(found[1]?.[3], found[2]?.[3]);
  },
);

repeats.run();
