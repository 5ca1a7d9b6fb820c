import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pasteBlocks } from '#test/docs/support/paste.ts';
import { freePort } from '#test/support/freePort.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

const page = readFileSync(new URL('../../docs/account-updater.md', import.meta.url), 'utf8');

const docs = suite<{ service: ServiceProcess; directory: string }>('the page on the account updater');

docs.before(async (context) => {
  context.directory = await newPreparedDirectory();
  context.service = await startService(context.directory, { PORT: String(await freePort()) });
});
docs.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

docs(
  'given its commands, when they are pasted word for word, then a whole job is done',
  async ({ service }) => {
    const [, created, uploaded, completed, result, listed, atOnce] = await pasteBlocks(page, service);
    assert.match(created ?? '', '"status":"pending"');
    assert.is(uploaded, '200');
    assert.match(completed ?? '', '"status":"completed"');
    const rows = (result ?? '').split('\n').slice(1);
    assert.is(rows.length, 2);
    assert.match(rows[0] ?? '', /^[0-9a-f-]{36},,,[0-9a-f-]{36},26,12,UPD_EXP_DATE$/);
    assert.is(rows[1], 'nobody,,,,,,ERR_INVALID_TOKEN');
    assert.match(listed ?? '', '"page_size":1');
    assert.match(atOnce ?? '', '"result_code":"UPD_EXP_DATE"');
  },
);

docs.run();
