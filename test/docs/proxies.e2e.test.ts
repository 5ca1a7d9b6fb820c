import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runExamples } from '#test/docs/support/runExamples.ts';
import { startProxying, stopProxying } from '#test/proxies/support/proxies.ts';

const page = readFileSync(new URL('../../docs/proxies.md', import.meta.url), 'utf8');

test('given its examples, when they are sent one after the other, then each is answered as the page says', async () => {
  const context = await startProxying();
  try {
    const examples = await runExamples(page, context.service, { $DESTINATION: context.destination.url });
    assert.is(examples, (page.match(/```http/g) ?? []).length);
  } finally {
    await stopProxying(context);
  }
});

test.run();
