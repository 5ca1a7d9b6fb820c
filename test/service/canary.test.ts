import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDataDirectory, removeDataDirectory, request, startService } from '#test/support/service.ts';

const canary = suite<{ directory: string }>('plaintext');

canary.before(async (context) => {
  context.directory = await newDataDirectory();
});

canary.after(({ directory }) => removeDataDirectory(directory));

canary(
  'given secrets that were stored, changed and read, when all files and output are searched, then none is found',
  async ({ directory }) => {
    const service = await startService(directory, { LOG_LEVEL: 'debug' });
    const key = service.credentials.private;
    const { body: application } = await request<{ key: string }>(service, 'POST', '/applications', {
      key: service.credentials.management,
      body: {
        name: 'revealing',
        type: 'private',
        rules: [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }],
      },
    });
    const secrets = [
      '5105105105105100',
      '998877665544332',
      'canary in a coal mine',
      'changed canary',
      application.key,
    ];
    const [card, account, text, changed] = secrets;
    const create = (body: object) => request<{ id: string }>(service, 'POST', '/tokens', { key, body });
    const tokens = [
      await create({ type: 'card', data: { number: card, cvc: '987' } }),
      await create({ type: 'bank', data: { routing_number: '021000021', account_number: account } }),
      await create({ type: 'token', data: { text }, search_indexes: ['{{ data.text }}'] }),
    ];
    assert.equal(
      tokens.map(({ status }) => status),
      [201, 201, 201],
    );
    const id = tokens[2]?.body.id ?? '';
    await request(service, 'PATCH', `/tokens/${id}`, { key, body: { data: { text: changed } } });
    const read = await request<{ data: object }>(service, 'GET', `/tokens/${id}`, { key: application.key });
    assert.equal(read.body.data, { text: changed });
    await request(service, 'POST', '/tokens', {
      key,
      body: { type: 'card', data: { number: `${card}1`, text } },
    });
    await request(service, 'GET', `/tokens/${card}`, { key });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    await service.end();
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      for (const secret of secrets) assert.not.ok(content.includes(secret), `${secret} is in ${file.name}`);
    }
    for (const secret of secrets) {
      assert.not.ok(service.said().includes(secret), `${secret} is in the output`);
      assert.not.ok(metrics.includes(secret), `${secret} is in the metrics`);
    }
  },
);

canary.run();
