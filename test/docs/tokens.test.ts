import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compare, examplesIn, Names } from '#test/docs/support/examples.ts';
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
    const names = new Names();
    names.set('$PRIVATE', service.keys.private);
    names.set('$MANAGEMENT', service.keys.management);
    const examples = examplesIn(page);
    assert.ok(examples.length > 50, String(examples.length));
    for (const example of examples) {
      const where = `line ${example.line}, ${example.method} ${example.path}`;
      const { 'BT-API-KEY': key = '$PRIVATE', 'Content-Type': contentType, ...headers } = example.headers;
      const body = example.body === undefined ? undefined : Buffer.from(names.apply(example.body));
      const reply = await service.call(example.method, names.apply(example.path), body, {
        key: names.apply(key),
        headers,
        ...(contentType === undefined ? {} : { contentType }),
      });
      assert.is(reply.status, example.status, `${where}: ${JSON.stringify(reply.body)}`);
      if (example.answer !== undefined) compare(JSON.parse(example.answer), reply.body, names, where);
    }
  },
);

tokens.run();
