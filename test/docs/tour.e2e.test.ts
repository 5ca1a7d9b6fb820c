import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pasteBlocks } from '#test/docs/support/paste.ts';
import { freePort } from '#test/support/freePort.ts';
import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const tour = suite<{ service: ServiceProcess; directory: string }>('the tour of the README');

tour.before(async (context) => {
  context.directory = await newDataDirectory();
  context.service = await startService(context.directory, { PORT: String(await freePort()) });
});

tour.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

tour(
  'given a new service, when the tour is pasted word for word, then each step answers what it says',
  async ({ service }) => {
    const steps = await pasteBlocks(readme, service);
    const [
      ,
      stored,
      masked,
      revealed,
      found,
      patched,
      twice,
      document,
      search,
      reacted,
      updated,
      paid,
      deleted,
    ] = steps;
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
    assert.match(updated ?? '', /result_code\n([0-9a-f-]{36}),,,[0-9a-f-]{36},,,UPD_PAN$/);
    assert.match(paid ?? '', '"status":"capture_succeeded"');
    assert.match(paid ?? '', '"captured_amount":1000');
    assert.match(deleted ?? '', '"status":404');
  },
);

tour.run();
