import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactor } from '#commands/reactor/create.ts';
import { patchReactor } from '#commands/reactor/patch.ts';
import { updateReactor } from '#commands/reactor/update.ts';
import { systemContext } from '#commands/systemContext.ts';
import { getReactor } from '#queries/reactor/get.ts';
import { listReactors } from '#queries/reactor/list.ts';
import { create, get, minimal, payloads } from '#test/reactors/support/reactors.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const races = suite<{ service: VaultService }>('reactors that change under our eyes');

races.before(async (context) => {
  context.service = await startVaultService();
});
races.after(({ service }) => service.close());

/** The service, as it is when a configuration was replaced between the look for its id and the first read. */
function replacedOnce({ composition }: VaultService) {
  const { vault } = composition;
  let isReplaced = true;
  const read: typeof vault.read = async (tenantId, references) => {
    if (!isReplaced) return vault.read(tenantId, references);
    isReplaced = false;
    return references.map(() => undefined);
  };
  return { ...composition, vault: { ...vault, read } };
}

const configuration = { a: '1' };
const contextOf = ({ tenantId }: VaultService) => systemContext(tenantId, { type: 'operator', id: 'test' });

races(
  'given a configuration that was just replaced, when it is read or patched, then the latest is found',
  async ({ service }) => {
    const { tenantId } = service;
    const { id } = await create(service, { configuration });
    assert.equal((await getReactor(replacedOnce(service), tenantId, id)).configuration, configuration);
    const listed = await listReactors(replacedOnce(service), tenantId, { ids: [id] }, { page: 1, size: 1 });
    assert.equal(
      listed.items.map((item) => item.configuration),
      [configuration],
    );
    await patchReactor(replacedOnce(service), contextOf(service), id, { configuration: { b: '2' } });
    assert.equal((await get(service, id)).configuration, { a: '1', b: '2' });
  },
);

races(
  'given a command that ran and was not heard, when it runs again, then it answers what it wrote',
  async ({ service }) => {
    const { composition } = service;
    const creating = contextOf(service);
    const input = { ...minimal, configuration };
    const first = await createReactor(composition, creating, input);
    const { id } = first.result.record;
    const repeated = { ...input, name: 'other', configuration: {} };
    const again = await createReactor(composition, { ...creating, repeated: true }, repeated);
    assert.equal(again.result, first.result);

    const updating = contextOf(service);
    const updated = await updateReactor(composition, updating, id, { ...input, name: 'two' });
    const last = await updateReactor(composition, { ...updating, repeated: true }, id, repeated);
    assert.equal(last.result, updated.result);
    await until(async () => (await payloads(service, id)).length === 1);
  },
);

races.run();
