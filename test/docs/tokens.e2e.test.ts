import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runExamples } from '#test/docs/support/runExamples.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const page = readFileSync(new URL('../../docs/tokens.md', import.meta.url), 'utf8');

const tokens = suite<{ service: VaultService }>('the page on tokens');

tokens.before(async (context) => {
  context.service = await startVaultService();
});
tokens.after(({ service }) => service.close());

tokens(
  'given its examples, when they are sent one after the other, then each is answered as the page says',
  async ({ service }) => {
    const count = await runExamples(page, service);
    assert.ok(count > 50, String(count));
  },
);

tokens.run();
