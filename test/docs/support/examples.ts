import * as assert from 'uvu/assert';

/** A request of a page and what it says is answered. */
export type Example = {
  line: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  status: number;
  answer: string | undefined;
};

/**
 * The `http` blocks of a page: a request line, headers, a body; then `→`, the status and the answer. A request
 * without an answer that is told is not an example.
 */
export function examplesIn(page: string): Example[] {
  return [...page.matchAll(/```http\n([^]*?)```/g)].map((match) => {
    const line = page.slice(0, match.index).split('\n').length;
    const [request = '', reply = ''] = (match[1] ?? '').split('\n→ ');
    const [first = '', ...rest] = request.trim().split('\n');
    const [method = '', path = ''] = first.split(' ');
    const bodyAt = rest.findIndex((text) => !/^[A-Za-z-]+: /.test(text));
    const headers = Object.fromEntries(
      rest.slice(0, bodyAt === -1 ? rest.length : bodyAt).map((text) => text.split(': ') as [string, string]),
    );
    const body = bodyAt === -1 ? undefined : rest.slice(bodyAt).join('\n');
    const [status = '', ...answer] = reply.trim().split('\n');
    return {
      line,
      method,
      path,
      headers,
      body,
      status: Number(status),
      answer: answer.length === 0 ? undefined : answer.join('\n'),
    };
  });
}

/** Values that an answer gave, by the names that the page uses for them from then on. */
export class Names {
  readonly #values = new Map<string, string>();

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** A text with its names replaced. */
  apply(text: string): string {
    return text.replace(/\$[A-Z]+/g, (name) => this.#values.get(name) ?? name);
  }

  /** Takes the value for a name that is used for the first time. */
  learn(expected: string, actual: unknown): boolean {
    if (!/^\$[A-Z]+$/.test(expected) || typeof actual !== 'string' || this.#values.has(expected)) {
      return false;
    }
    this.#values.set(expected, actual);
    return true;
  }
}

/**
 * Compares an answer with what the page shows of it: `…` stands for any value, members that are left out may be
 * there, except for `data`, of which everything is shown.
 */
export function compare(shown: unknown, actual: unknown, names: Names, where: string, isData = false): void {
  if (shown === '…' || (typeof shown === 'string' && names.learn(shown, actual))) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual) && actual.length === shown.length, `${where}: ${JSON.stringify(actual)}`);
    shown.forEach((item, index) => {
      compare(item, (actual as unknown[])[index], names, `${where}[${index}]`, isData);
    });
    return;
  }
  if (typeof shown !== 'object' || shown === null) {
    assert.is(actual, typeof shown === 'string' ? names.apply(shown) : shown, where);
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, `${where}: ${JSON.stringify(actual)}`);
  const given = actual as Record<string, unknown>;
  if (isData) assert.equal(Object.keys(given).sort(), Object.keys(shown).sort(), where);
  else if (!('data' in shown)) assert.not.ok('data' in given, `${where}: it has data`);
  for (const [name, member] of Object.entries(shown)) {
    compare(member, given[name], names, `${where}.${name}`, isData || (name === 'data' && 'id' in given));
  }
}
