import type { Problem } from '#http/problem.ts';
import type { InnerAnswer, InnerRequest } from '#ports/dispatch.ts';
import type { Bt } from '#src/reactors/bt.ts';
import { isProblem } from '#src/reactors/content.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';

/** What one run of code has made by `req.bt`. */
export type MadeTokens = {
  watch(bt: Bt): Bt;
  /** Adds the ids of the tokens to an answer that is an error: nobody else would be told of them. */
  nameIn(answer: ReactorAnswer): Promise<ReactorAnswer>;
  /** Of all that it has made. */
  ids(): Promise<string[]>;
};

export function createMadeTokens(): MadeTokens {
  const calls: Promise<string[]>[] = [];
  // A call goes on that the code waits for no longer, because its time was over.
  const ids = async (): Promise<string[]> => [...new Set((await Promise.all(calls)).flat())];
  return {
    ids,
    watch: (bt) => (request) => {
      const answering = bt(request);
      calls.push(answering.then((answer) => idsIn(request, answer)));
      return answering;
    },
    nameIn: async (answer) => {
      // What code composed is its own; it knows what it made.
      if (!isProblem(answer)) return answer;
      return { ...answer, body: withTokens(answer.body as Problem, await ids()) };
    },
  };
}

/** A problem that names tokens beside those that it names already. */
export function withTokens<Named extends Problem>(problem: Named, ids: readonly string[]): Named {
  if (ids.length === 0) return problem;
  const tokens = [...new Set([...(problem.errors?.['tokens'] ?? []), ...ids])];
  return { ...problem, errors: { ...problem.errors, tokens } };
}

/** The request was put together by code: it may have any shape. */
function idsIn(request: InnerRequest, { status, body }: InnerAnswer): string[] {
  if (status < 200 || status > 299 || !/^POST$/i.test(String(request.method))) return [];
  const path = withoutSlashes(String(request.path)).toLowerCase();
  if (path === '/tokens') return idOf(body);
  return path === '/tokenize' ? tokenizedIn(request.body, body) : [];
}

/** Not by a pattern: what code sends may be a megabyte of slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** What stands in an answer in place of what was sent: a token, its id, or more of the same. Null is no token. */
function tokenizedIn(sent: unknown, answered: unknown): string[] {
  if (!isObject(sent)) return typeof answered === 'string' ? [answered] : [];
  if (!isObject(answered)) return [];
  if (typeof sent['type'] === 'string' && Object.hasOwn(sent, 'data')) return idOf(answered);
  return Object.entries(sent).flatMap(([name, member]) => tokenizedIn(member, answered[name]));
}

const idOf = (token: unknown): string[] =>
  isObject(token) && typeof token['id'] === 'string' ? [token['id']] : [];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
