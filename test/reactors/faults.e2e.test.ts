import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApplication as createApplicationOf } from '#commands/application/create.ts';
import { systemContext } from '#commands/systemContext.ts';
import { randomId } from '#src/identifiers.ts';
import {
  create,
  createApplication,
  faultsOf,
  get,
  manage,
  minimal,
} from '#test/reactors/support/reactors.ts';
import type { Problem } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; id: string };
const faults = suite<Context>('faults of reactors');

faults.before(async (context) => {
  context.service = await startVaultService();
  context.id = (await create(context.service, { configuration: { kept: 'kept' } })).id;
});
faults.after(({ service }) => service.close());

const entries = (count: number, value: unknown = ''): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

/** Wrong however a reactor is written, each after the paths that are named. */
const wrong: [string[], object][] = [
  [['name'], { name: '' }],
  [['name'], { name: 'n'.repeat(201) }],
  [['name'], { name: 7 }],
  [['name'], { name: null }],
  [['name'], { name: 'a\u0000' }],
  [['code'], { code: '' }],
  [['code'], { code: 'c'.repeat(50_001) }],
  [['code'], { code: ['c'] }],
  [['code'], { code: null }],
  // Fifty thousand characters, but six bytes each.
  [['code'], { code: '\u0001'.repeat(50_000) }],
  [['code', 'name'], { code: 1, name: 1 }],
  [['configuration'], { configuration: 'text' }],
  [['configuration'], { configuration: ['text'] }],
  [['configuration'], { configuration: entries(26) }],
  [['configuration'], { configuration: { '': 'x' } }],
  [['configuration'], { configuration: { ['k'.repeat(201)]: 'x' } }],
  [['configuration.a'], { configuration: { a: 1 } }],
  [['configuration.a'], { configuration: { a: { b: 'c' } } }],
  [['configuration.a'], { configuration: { a: 'v'.repeat(10_001) } }],
  [['configuration.a', 'configuration.b'], { configuration: { a: true, b: [] } }],
  [['application'], { application: 'text' }],
  [['application.id'], { application: { id: 'text' } }],
  [['application.id'], { application: { id: 7 } }],
  [['application.id'], { application: { id: randomId() } }],
];

faults('given wrong attributes, when a reactor is written, then each fault has its path', async (context) => {
  const { service, id } = context;
  for (const [paths, attributes] of wrong) {
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
    ] as const) {
      const found = await faultsOf(service, method, path, { ...minimal, ...attributes });
      assert.equal(found, paths, `${method} ${JSON.stringify(attributes).slice(0, 100)}`);
    }
    // What is there already counts too.
    assert.equal(await faultsOf(service, 'PATCH', `/${id}`, attributes), paths);
  }
  assert.equal((await get(service, id)).configuration, { kept: 'kept' });
});

faults('given a whole that lacks something, when it is written, then that is named', async (context) => {
  const { service, id } = context;
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${id}`],
  ] as const) {
    const refused = (body: unknown) => faultsOf(service, method, path, body);
    assert.equal(await refused({}), ['code', 'configuration', 'name']);
    assert.equal(await refused({ ...minimal, configuration: null }), ['configuration']);
    assert.equal(await refused({ ...minimal, configuration: { a: null } }), ['configuration.a']);
    assert.equal(await refused({ ...minimal, application: {} }), ['application.id']);
    assert.equal(await refused([]), ['body']);
  }
  assert.equal(await faultsOf(service, 'PATCH', `/${id}`, []), ['body']);
});

faults('given a wrong content type, when a reactor is patched, then 415', async ({ service, id }) => {
  const options = { key: service.keys.management, contentType: 'application/json' };
  assert.is((await service.call('PATCH', `/reactors/${id}`, { name: 'x' }, options)).status, 415);
});

faults('given applications, when a reactor names one, then only its own and no manager', async (context) => {
  const { service, id } = context;
  const refused = async (applicationId: string): Promise<string> => {
    const application = { id: applicationId };
    const replies = await Promise.all([
      manage<Problem>(service, 'POST', '', { ...minimal, application }),
      manage<Problem>(service, 'PUT', `/${id}`, { ...minimal, application }),
      manage<Problem>(service, 'PATCH', `/${id}`, { application }),
    ]);
    const messages = replies.map(({ status, body }) => {
      assert.is(status, 400);
      assert.equal(Object.keys(body.errors ?? {}), ['application.id']);
      return body.errors?.['application.id']?.[0] ?? '';
    });
    assert.is(new Set(messages).size, 1);
    return messages[0] ?? '';
  };
  const manager = await createApplication(service, 'management', ['reactor:read']);
  assert.match(await refused(manager.id), 'public or private');

  const { management } = await service.anotherTenant();
  const foreign = await createApplication(service, 'private', ['token:read'], management);
  const unknown = await refused(randomId());
  assert.is(await refused(foreign.id), unknown);

  const deleted = await createApplication(service, 'private', ['token:read']);
  const options = { key: service.keys.management };
  await service.call('DELETE', `/applications/${deleted.id}`, undefined, options);
  assert.is(await refused(deleted.id), unknown);

  // Made an hour ago, for half an hour.
  const clock = { now: () => new Date(Date.now() - 3_600_000) };
  const { result } = await createApplicationOf(
    { ...service.composition, clock },
    systemContext(service.tenantId, { type: 'operator', id: 'test' }),
    {
      name: 'expired',
      type: 'private',
      permissions: ['token:read'],
      expires_at: new Date(Date.now() - 1_800_000).toISOString(),
    },
  );
  assert.is(await refused(result.application.id), unknown);
});

faults.run();
