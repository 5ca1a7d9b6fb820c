import * as assert from 'uvu/assert';
import { compare, examplesIn, Names } from '#test/docs/support/examples.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/**
 * Sends the examples of a page one after the other, and compares what is answered. Answers how many there are.
 * @param given values that no answer gives, by their names
 */
export async function runExamples(
  page: string,
  { call, keys }: VaultService,
  given: Readonly<Record<string, string>> = {},
): Promise<number> {
  const names = new Names();
  names.set('$PRIVATE', keys.private);
  names.set('$MANAGEMENT', keys.management);
  for (const [name, value] of Object.entries(given)) names.set(name, value);
  const examples = examplesIn(page);
  for (const example of examples) {
    const where = `line ${example.line}, ${example.method} ${example.path}`;
    const { 'BT-API-KEY': key = '$PRIVATE', 'Content-Type': contentType, ...headers } = example.headers;
    const body = example.body === undefined ? undefined : Buffer.from(names.apply(example.body));
    const reply = await call(example.method, names.apply(example.path), body, {
      key: names.apply(key),
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, names.apply(text)])),
      ...(contentType === undefined ? {} : { contentType }),
    });
    assert.is(reply.status, example.status, `${where}: ${JSON.stringify(reply.body)}`);
    if (example.answer !== undefined) compare(JSON.parse(example.answer), reply.body, names, where);
  }
  return examples.length;
}
