import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

export type Sent = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body?: unknown;
};
export type Settled = { failed: boolean; payload: string };

/** What became of a call: what it returned, or what it threw. */
export type Outcome =
  { returned: unknown } | { threw: { name: string; message: string; status: unknown; data: unknown } };

const file = new URL('../../../../infra/sandbox/runtime/bt.cjs', import.meta.url);

/** What the library says of itself. */
export type Described = {
  calls: Record<string, Record<string, string>>;
  functions: Record<string, string>;
  proxied: string[];
};

/** The library in a realm that has the language and nothing else. Values come out of it as JSON. */
export class Realm {
  readonly #context = createContext(Object.create(null));
  readonly described: Described;
  readonly methods: Record<string, string[]>;

  constructor(send: (kind: string, payload: string) => Promise<Settled>) {
    const wrapped = `(send) => {
      const module = { exports: {} };
      (function (module, exports) {${readFileSync(file, 'utf8')}\n})(module, module.exports);
      globalThis.library = module.exports;
      globalThis.bt = module.exports((kind, payload) => send(kind, payload));
    }`;
    (runInContext(wrapped, this.#context) as (given: typeof send) => void)(send);
    this.described = this.#json('({...library})') as Described;
    this.methods = this.#json(`Object.fromEntries(Object.entries(bt).map(([name, value]) =>
      [name, typeof value === 'function' ? [] : Object.keys(value)]))`) as Record<string, string[]>;
  }

  /** @param call an expression in which `bt` is the library */
  async run(call: string): Promise<Outcome> {
    const text = await (runInContext(
      `(async () => {
        try {
          return JSON.stringify({ returned: await (${call}) });
        } catch (error) {
          const isKnown = error instanceof library.BasisTheoryApiError || error instanceof TypeError;
          if (!isKnown) throw error;
          const { name, message, status, data } = error;
          return JSON.stringify({ threw: { name, message, status, data } });
        }
      })()`,
      this.#context,
    ) as Promise<string>);
    return JSON.parse(text) as Outcome;
  }

  #json(expression: string): unknown {
    return JSON.parse(runInContext(`JSON.stringify(${expression})`, this.#context) as string);
  }
}
