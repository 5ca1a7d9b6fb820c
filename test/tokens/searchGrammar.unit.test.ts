import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseQuery } from '#queries/token/search/parse.ts';
import { ValidationFailed } from '#src/errors.ts';

const grammar = suite('grammar of token searches');

/** What is wrong with a query, or undefined. */
function faultOf(query: string): string | undefined {
  try {
    parseQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof ValidationFailed) return Object.values(error.faults).flat().join();
    throw error;
  }
}

grammar('given a query that would explode, then 400 says at which character', () => {
  const pair = '(type:card OR type:bank)';
  const most = Array.from({ length: 25 }, (_, n) => `id:n${n}`).join(' OR ');
  const nested = (depth: number): string => `${'('.repeat(depth)}id:a${')'.repeat(depth)}`;
  for (const query of [most, Array.from({ length: 4 }, () => pair).join(' AND '), nested(8)]) {
    assert.is(faultOf(query), undefined, query);
  }
  for (const [query, place] of [
    [`${most} OR id:more`, most.length + 2],
    [Array.from({ length: 30 }, () => pair).join(' AND '), 4 * (pair.length + 5) - 3],
    [nested(9), 9],
    [nested(400), 9],
    [`data:${nested(8)}`.replace('id:a', '((a))'), 14],
  ] as const) {
    assert.match(faultOf(query) ?? '', 'at most', query);
    assert.match(faultOf(query) ?? '', `(at character ${place})`, query);
  }
});

grammar('given a field that there is not, when it is asked for, then 400 says so', () => {
  for (const query of ['modified_at:[* TO *]', 'modified_at:2026-11-21', 'constructor:x', 'metadata.:x']) {
    const field = query.slice(0, query.indexOf(':'));
    assert.match(
      faultOf(query) ?? '',
      `there is no field '${field}': it must be one of id, data, metadata.<name>, type, fingerprint, container, created_at (at character 1)`,
    );
  }
});

/** What the query's only alternative asks for. */
const wantedBy = (query: string): unknown => {
  const [filter] = parseQuery(query);
  const metadata = filter?.metadata && { ...filter.metadata };
  return filter?.data ?? metadata ?? filter?.ids ?? filter?.createdFrom?.toISOString();
};

grammar('given characters with a backslash before them, when a query is read, then they are text', () => {
  for (const [query, wanted] of [
    ['data:a\\:b', ['a:b']],
    ['data:a:b', ['a:b']],
    ['data:say\\ \\"hi\\"', ['say "hi"']],
    ['data:\\(4\\)', ['(4)']],
    ['data:\\)', [')']],
    ['(data:\\))', [')']],
    ['data:a\\\\b', ['a\\b']],
    ['data:\\*', ['*']],
    ['data:a\\?', ['a?']],
    ['data:\\-5', ['-5']],
    ['data:\\!a\\&&b\\||c', ['!a&&b||c']],
    ['data:a\\~1', ['a~1']],
    ['data:a\\^2', ['a^2']],
    ['data:\\AND', ['AND']],
    ['data:\\ ', [' ']],
    ['data:\\u0041\\u00e9', ['Aé']],
    ['data:(a\\ b)', ['a b']],
    ['data:"a\\:\\"\\(\\)\\ \\\\\\*"', ['a:"() \\*']],
    ['data:"\\u0041"', ['A']],
    ['id:a\\/b', ['a/b']],
    ['metadata.user\\ id:7', { 'user id': '7' }],
    ['metadata.a\\:b:7', { 'a:b': '7' }],
    ['metadata.\\"a\\":7', { '"a"': '7' }],
    ['metadata."a\\"b":7', { 'a"b': '7' }],
    ['created_at:[2020\\-01\\-01T00\\:00\\:00Z TO *]', '2020-01-01T00:00:00.000Z'],
  ] as const) {
    assert.equal(wantedBy(query), wanted, query);
  }
});

grammar('given a backslash with nothing behind it, when a query is read, then 400 says where', () => {
  for (const [query, place] of [
    ['data:a\\', 7],
    ['data:\\', 6],
    ['data:a\\\\\\', 9],
    ['id:a AND data:(b\\', 17],
    ['data\\', 5],
    ['metadata.a\\', 11],
  ] as const) {
    assert.match(
      faultOf(query) ?? '',
      `a character must follow the backslash (at character ${place})`,
      query,
    );
  }
  assert.match(faultOf('data:"a\\"') ?? '', 'a quote is opened and not closed (at character 6)');
  for (const query of ['data:\\u00', 'data:"\\uzzzz"', 'metadata.\\u1:7']) {
    assert.match(
      faultOf(query) ?? '',
      /^\\u must be followed by four hexadecimal digits \(at character \d+\)/,
      query,
    );
  }
});

grammar('given a number without a field, then 400 says where it is, and does not repeat it', () => {
  const said = faultOf('id:a OR 4242424242424242');
  assert.is(said, 'must be a term such as data:value, joined to others by AND or OR (at character 9)');
});

grammar('given a query that cannot be read, then 400 says at which character', () => {
  for (const [query, place] of [
    ['data', 1],
    ['data:', 6],
    ['data:"open', 6],
    ['id:a AND', 9],
    ['id:a id:b', 6],
    ['NOT id:a', 1],
    ['id:a or id:b', 6],
    ['id:a ORid:b', 6],
    ['id:a OR', 8],
    ['OR id:a', 1],
    ['(id:a', 1],
    ['(id:a id:b)', 7],
    ['id:a)', 5],
    ['()', 2],
    ['type:(card', 6],
    ['type:()', 7],
    ['id:a AND (name:b OR id:c)', 11],
    ['id:a AND created_at:(soon)', 22],
    ['data:67*', 8],
    ['data:6?7', 7],
    ['id:a OR (type:ca* AND id:b)', 17],
    ['  name:a', 3],
    ['id:a AND unknown:b', 10],
    ['metadata.:b', 1],
    ['created_at:[2020-01-01 2021-01-01]', 24],
    ['created_at:[2020-01-01 TO 2021-01-01', 12],
    ['created_at:[soon TO *]', 13],
    ['created_at:soon', 12],
    ['id:[a TO b]', 1],
    ['id:a AND created_at:[* TO ]', 27],
  ] as const) {
    assert.match(faultOf(query) ?? '', `(at character ${place})`, query);
  }
});

grammar.run();
