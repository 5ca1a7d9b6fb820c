import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJob } from '#commands/accountUpdater/create.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import { systemContext } from '#commands/systemContext.ts';
import { createJobQueue } from '#infra/jobs/queue.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { randomId } from '#src/identifiers.ts';
import { beginUpdate } from '#src/jobs/beginUpdate.ts';
import { updateChunk } from '#src/jobs/updateChunk.ts';
import type { Composition } from '#src/main/compose.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { Crash, dyingAt } from '#test/updater/support/crashes.ts';
import { header, inParts } from '#test/updater/support/files.ts';
import { createCard } from '#test/updater/support/service.ts';

type Context = { service: VaultService };

const resuming = suite<Context>('jobs whose worker dies');

resuming.before(async (context) => {
  context.service = await startVaultService({ invocations: { updatesElsewhere: true } });
});
resuming.after(({ service }) => service.close());

const cards = ['4111111111111111', '6011690151507086', '4711358892785746', '5461310156953048'];
const settings = { concurrency: 1, concurrencyOfTenant: 1 };
const actor = { type: 'system', id: 'test' } as const;

type Tenant = { tenantId: string; key: string };

async function newTenant(service: VaultService, deduplicates: boolean): Promise<Tenant> {
  const keys = await service.anotherTenant();
  const key = keys.management;
  const { body } = await service.call<{ id: string }>('GET', '/tenants/self', undefined, { key });
  const change = { name: 'test', settings: { deduplicate_tokens: String(deduplicates) } };
  await service.call('PUT', '/tenants/self', change, { key });
  for (const [index, number] of cards.entries()) {
    const attributes = { id: `card-${index}` };
    await createCard(
      service,
      { number, expiration_month: 12, expiration_year: 2024 },
      attributes,
      keys.private,
    );
  }
  return { tenantId: body.id, key: keys.private };
}

/** Everything that workers do about a job; whether that went without a crash. */
async function work(composition: Composition, subject: { tenantId: string; id: string }): Promise<boolean> {
  const queue = createJobQueue(composition.pools.owner);
  try {
    await beginUpdate(composition, settings).run(subject);
    await updateChunk(composition, { ...settings, queue }).run({ ...subject, id: `${subject.id}/0` });
    return true;
  } catch (error) {
    if (error instanceof Crash) return false;
    throw error;
  }
}

/** The cards, and those that replaced some of them. */
const tokensAfter = (deduplicates: boolean): number => cards.length + (deduplicates ? 1 : 2);

type Outcome = { file: string; tokens: number; crashed: boolean };

/** The same job of a new tenant, whose worker dies once. */
async function outcomeOf(
  { service }: Context,
  commandId: string,
  deduplicates: boolean,
  dying: (composition: Composition) => Composition,
): Promise<Outcome> {
  const { composition } = service;
  const { tenantId, key } = await newTenant(service, deduplicates);
  const context = { ...systemContext(tenantId, actor), commandId };
  const { result } = await createJob(composition, context);
  if (result.status !== 'pending') throw new Error('the job was not created');
  const subject = { tenantId, id: result.id };
  const rows = [...cards.map((_, index) => `card-${index},,,1`), 'nobody,,,1', 'card-0,30,01,', 'card-0,,,1'];
  const content = Buffer.from([header, ...rows].join('\n'));
  await composition.objects.write(objectKeys.request(tenantId, result.id), inParts(content), content.length);
  await recordUpload(composition, subject, { bytes: content.length });
  const crashed = !(await work(dying(composition), subject));
  assert.ok(!crashed || (await work(composition, subject)));
  const parts: Uint8Array[] = [];
  for await (const part of await composition.objects.read(objectKeys.result(tenantId, result.id))) {
    parts.push(part);
  }
  const total = async (): Promise<number> => {
    const reply = await service.call<{ pagination: { total_items: number } }>('GET', '/tokens', undefined, {
      key,
    });
    return reply.body.pagination.total_items;
  };
  // What was made beside HTTP may take a moment to be listed.
  const tokens = await until(async () => {
    const listed = await total();
    return listed >= tokensAfter(deduplicates) && listed;
  });
  return { file: Buffer.concat(parts).toString(), tokens, crashed };
}

for (const deduplicates of [false, true]) {
  resuming(
    `given a worker that dies at any point, when another goes on, ${deduplicates ? 'without duplicates, ' : ''}then the result is the same to the byte, and no token is made twice`,
    async (context) => {
      const commandId = randomId();
      const undisturbed = await outcomeOf(context, commandId, deduplicates, (composition) => composition);
      assert.match(undisturbed.file, /^card-0,,,[0-9a-f-]{36},,,UPD_PAN$/m);
      assert.is(undisturbed.tokens, tokensAfter(deduplicates));
      for (const when of ['before', 'after'] as const) {
        let effect = 1;
        for (; ; effect++) {
          const at = effect;
          const outcome = await outcomeOf(context, commandId, deduplicates, (composition) =>
            dyingAt(composition, at, when),
          );
          if (!outcome.crashed) break;
          assert.equal({ ...outcome, crashed: false }, undisturbed, `${when} effect ${effect}`);
        }
        assert.ok(effect > 7, `${effect} effects`);
      }
    },
  );
}

resuming.run();
