import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { directorySuite } from '#test/support/directorySuite.ts';
import { request, runHoldfast, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const development = directorySuite('the tenant dev');

type Applications = { data: { name: string; keys: { id: string }[] }[] };

const applicationsOf = async (service: ServiceProcess, key: string): Promise<[string, string[]][]> => {
  const { body } = await request<Applications>(service, 'GET', '/applications', { key });
  return body.data.map(({ name, keys }) => [name, keys.map(({ id }) => id)]);
};

development(
  'given a tenant dev that an operator made, when the service starts, then nothing of it changes and it is told',
  async ({ directory }) => {
    const production = await startService(directory, { NODE_ENV: 'production' });
    const made = await runHoldfast(['tenant', 'create', 'dev'], { HOLDFAST_DATA_DIR: directory });
    const key = /management key {2}(key_\S+)/.exec(made.out)?.[1] ?? '';
    // The command does not wait for the lists of a service that runs.
    await until(async () => (await applicationsOf(production, key)).length === 1);
    const before = await applicationsOf(production, key);
    await production.end();
    const service = await startService(directory);
    assert.match(service.said(), "There is a tenant 'dev' already (");
    assert.not.match(service.said(), "A tenant 'dev' was made");
    assert.equal(await applicationsOf(service, key), before);
    await service.end();
  },
);

development(
  'given keys whose file is lost, when the service starts, then they go on working, and nobody is told they are new',
  async ({ directory }) => {
    const { credentials, end } = await startService(directory);
    await end();
    await rm(join(directory, 'dev-credentials.json'));
    const service = await startService(directory);
    assert.match(service.said(), `There is a tenant 'dev' already (${credentials.tenant_id})`);
    assert.not.match(service.said(), 'curl ');
    const { status } = await request(service, 'GET', '/applications', { key: credentials.management });
    assert.is(status, 200);
    await service.end();
  },
);

development(
  'given a tenant dev that was deleted, when the service starts, then there is another with keys of its own',
  async ({ directory }) => {
    const first = await startService(directory);
    const { management: key } = first.credentials;
    assert.is((await request(first, 'DELETE', '/tenants/self', { key })).status, 204);
    await first.end();
    const second = await startService(directory);
    assert.match(second.said(), `A tenant 'dev' was made (${second.credentials.tenant_id})`);
    assert.is.not(second.credentials.tenant_id, first.credentials.tenant_id);
    const { status } = await request(second, 'GET', '/applications', { key: second.credentials.management });
    assert.is(status, 200);
    await second.end();
  },
);

development.run();
