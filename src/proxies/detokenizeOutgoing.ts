import type { ShownToken } from '#access/showToken.ts';
import { presentToken } from '#http/presenters/token.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Json } from '#ports/json.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { detokenize } from '#queries/token/detokenize.ts';
import { readerOf } from '#queries/token/get.ts';
import type { Outgoing } from '#src/proxies/message.ts';
import { textsIn, valuesWith } from '#src/proxies/namedTexts.ts';
import { searchedBody } from '#src/proxies/searchedBody.ts';
import { pairsOf, withValues, written } from '#src/proxies/urlEncoded.ts';

/** A message with its expressions replaced, and the tokens that something of is in it now. */
export type DetokenizedOutgoing = { outgoing: Outgoing; tokens: readonly ShownToken[] };

/**
 * Replaces the expressions in the query, the headers and the body by what the caller may use of the tokens. What holds
 * none stays as it was written, byte by byte.
 * @throws ValidationFailed @throws Forbidden
 */
export async function detokenizeOutgoing(
  dependencies: QueryDependencies,
  caller: Caller,
  outgoing: Outgoing,
): Promise<DetokenizedOutgoing> {
  const query = pairsOf(outgoing.query);
  const headers = outgoing.headers.map(([name, value]) => ({ name: name.toLowerCase(), value }));
  const { body, write } = searchedBody(outgoing);
  const { value, tokens } = await detokenize(
    dependencies,
    readerOf(caller),
    { query: textsIn(query), headers: textsIn(headers), body },
    (shown) => presentToken(shown) as Json,
    'token:use',
  );
  const found = value as { query: Record<string, Json>; headers: Record<string, Json>; body: Json };
  const values = valuesWith(headers, found.headers);
  return {
    tokens,
    outgoing: {
      query: written(withValues(query, valuesWith(query, found.query))),
      headers: outgoing.headers.map(([name, text], index) => [name, values[index] ?? text]),
      body: write(found.body),
    },
  };
}
