import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const tour = suite<{ service: ServiceProcess; directory: string }>('the tour of the README');

tour.before(async (context) => {
  context.directory = await newDataDirectory();
  context.service = await startService(context.directory);
});

tour.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

tour(
  'given a new service, when the tour is pasted word for word, then each step answers what it says',
  async ({ service, directory }) => {
    const blocks = [...readme.matchAll(/```bash\n([^]*?)```/g)].map(([, block]) => block ?? '');
    const script = blocks.map((block) => `${block}\necho; echo '<step>'`).join('\n');
    const shell = spawn('bash', ['-e'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, HOLDFAST_DATA_DIR: directory, PORT: String(service.port) },
    });
    let printed = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    shell.stdin.end(script);
    const [code] = (await once(shell, 'close')) as [number];
    assert.is(code, 0);
    const steps = printed.split('<step>\n').map((step) => step.trim());
    assert.is(steps.length, blocks.length + 1);
    const [, stored, masked, revealed, found, patched, twice, document, search, reacted, deleted] = steps;
    assert.match(stored ?? '', '"number":"XXXXXXXXXXXX4242"');
    assert.not.match(masked ?? '', 'cvc');
    assert.match(revealed ?? '', '"number":"4242424242424242"');
    assert.match(revealed ?? '', '"cvc":"123"');
    assert.match(found ?? '', '"total_items":1');
    assert.match(patched ?? '', '"expiration_year":2031');
    const ids = [...(twice ?? '').matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    assert.is(ids.length, 2);
    assert.is(ids[0], ids[1]);
    assert.match(document ?? '', /^\{"name":"[0-9a-f-]{36}","ssn":\{"id":/);
    assert.match(search ?? '', '"data":"XXX-XX-6789"');
    assert.equal(reacted, '{"raw":{"last4":"4242"}}');
    assert.match(deleted ?? '', '"status":404');
  },
);

tour.run();
