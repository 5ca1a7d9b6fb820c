import * as assert from 'uvu/assert';
import { compare, examplesIn, Names } from '#test/docs/support/examples.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** Sends the examples of a page one after the other, and compares what is answered. Answers how many there are. */
export async function runExamples(page: string, { call, keys }: VaultService): Promise<number> {
  const names = new Names();
  names.set('$PRIVATE', keys.private);
  names.set('$MANAGEMENT', keys.management);
  const examples = examplesIn(page);
  for (const example of examples) {
    const where = `line ${example.line}, ${example.method} ${example.path}`;
    const { 'BT-API-KEY': key = '$PRIVATE', 'Content-Type': contentType, ...headers } = example.headers;
    const body = example.body === undefined ? undefined : Buffer.from(names.apply(example.body));
    const reply = await call(example.method, names.apply(example.path), body, {
      key: names.apply(key),
      headers,
      ...(contentType === undefined ? {} : { contentType }),
    });
    assert.is(reply.status, example.status, `${where}: ${JSON.stringify(reply.body)}`);
    if (example.answer !== undefined) compare(JSON.parse(example.answer), reply.body, names, where);
  }
  return examples.length;
}
