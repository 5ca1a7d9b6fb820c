import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const test = suite<{ service: VaultService }>('packages of reactors and transforms');

test.before(async (context) => {
  context.service = await startVaultService();
});
test.after(({ service }) => service.close());

type Problem = { status: number; errors: Record<string, string[]> };
type Made = Problem & { id: string };

const reactor = (code: string): object => ({ name: 'Charge', code, configuration: {} });
const needing = (name: string): string =>
  `const it = require('${name}');\nmodule.exports = () => ({ raw: typeof it });`;
const create = (service: VaultService, code: string) =>
  service.call<Made>('POST', '/reactors', reactor(code), { key: service.keys.management });

test('given code that requires what is not there, when a reactor is created or changed to it, then 400 names the package and why', async ({
  service,
}) => {
  const unknown = await create(service, needing('lodash'));
  assert.is(unknown.status, 400);
  assert.match(unknown.body.errors.code?.[0] ?? '', /^Cannot find module 'lodash': .* stripe, /);
  const refused = await create(
    service,
    needing('ssh2') + needing('tesseract.js').replace('const it', 'const that'),
  );
  assert.is(refused.status, 400);
  assert.match(
    refused.body.errors.code?.join() ?? '',
    /'ssh2': it needs connections .*'tesseract.js': it needs WebAssembly/,
  );

  const { body: made } = await create(service, needing('uuid'));
  const path = `/reactors/${made.id}`;
  const changes = [
    await service.call<Problem>('PUT', path, reactor(needing('lodash')), { key: service.keys.management }),
    await service.call<Problem>('PATCH', path, { code: needing('lodash') }, { key: service.keys.management }),
  ];
  for (const { status, body } of changes) {
    assert.is(status, 400);
    assert.match(body.errors.code?.[0] ?? '', /'lodash'/);
  }
  assert.is(
    (await service.call('PATCH', path, { name: 'Other' }, { key: service.keys.management })).status,
    204,
  );
});

test('given a transform that requires what is not there, when its proxy is created, then 400 names the transform', async ({
  service,
}) => {
  const proxy = {
    name: 'To',
    destination_url: 'https://shop.example',
    response_transform: { code: needing('lodash') },
  };
  const { status, body } = await service.call<Problem>('POST', '/proxies', proxy, {
    key: service.keys.management,
  });
  assert.is(status, 400);
  assert.match(body.errors['response_transform.code']?.[0] ?? '', /'lodash'/);
});

test('given modules of Node that are not there, when code requires them as it loads, then 400 names path and module', async ({
  service,
}) => {
  for (const name of ['fs', 'node:net', 'child_process']) {
    const { status, body } = await create(service, needing(name));
    assert.is(status, 400);
    assert.match(
      body.errors.code?.[0] ?? '',
      `Cannot find module '${name}': code may require of Node buffer, crypto`,
    );
    const proxy = { name: 'To', destination_url: 'https://shop.example' };
    const transform = { request_transform: { code: needing(name) } };
    const refused = await service.call<Problem>(
      'POST',
      '/proxies',
      { ...proxy, ...transform },
      {
        key: service.keys.management,
      },
    );
    assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['request_transform.code']]);
  }
  const within = `module.exports = async () => { if (false) require('fs'); return { raw: require('util').format('a') }; };`;
  const { body: made, status } = await create(service, within);
  assert.is(status, 201);
  const reacted = await service.call<{ raw?: unknown }>('POST', `/reactors/${made.id}/react`, { args: {} });
  assert.equal([reacted.status, reacted.body.raw], [200, 'a']);
});

test('given a name that is put together, when the reactor is called, then it fails with the sentence that creation has', async ({
  service,
}) => {
  const { body: refused } = await create(service, needing('lodash'));
  const { body: made, status } = await create(service, `module.exports = (req) => require(req.args.name);`);
  assert.is(status, 201);
  const { body, status: failed } = await service.call<Problem>('POST', `/reactors/${made.id}/react`, {
    args: { name: 'lodash' },
  });
  assert.is(failed, 500);
  assert.equal(body.errors.error, refused.errors.code);
});

test.run();
