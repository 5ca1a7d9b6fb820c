import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runExamples } from '#test/docs/support/runExamples.ts';
import { startVaultService } from '#test/support/vaultService.ts';

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

test('given its examples, when they are sent one after the other, then each is answered as the page says', async () => {
  const service = await startVaultService();
  try {
    assert.is(await runExamples(page, service), (page.match(/```http/g) ?? []).length);
  } finally {
    await service.close();
  }
});

test.run();
