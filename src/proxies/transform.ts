import { codeOf, reactorIdOf } from '#domain/proxy/state.ts';
import { isDeeperThan } from '#expressions/json.ts';
import { depthLimit } from '#http/request/parseJson.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { Json } from '#ports/json.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import { NotFound, Unprocessable } from '#src/errors.ts';
import { listed } from '#src/proxies/headers.ts';
import { createMadeTokens } from '#src/proxies/madeTokens.ts';
import type { MadeTokens } from '#src/proxies/madeTokens.ts';
import { proxyingLimits } from '#src/proxies/limits.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';
import { codeOfReactor } from '#src/reactors/codeOfReactor.ts';
import { headersIn, validHeaders } from '#src/reactors/customAnswer.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { argsText } from '#src/reactors/prepare.ts';
import { failedAnswer, runtimeError } from '#src/reactors/problems.ts';
import type { RunCode, TenantCode } from '#src/reactors/runCode.ts';

export type TransformDependencies = QueryDependencies & {
  runCode: RunCode;
  /** How long a transform may run, in milliseconds. */
  reactorTimeout: number;
};

export type Side = 'request' | 'response';

/** What a transform has made of a message: headers that it does not return stay, a body does not. */
export type Transformed = { headers: OutboundHeaders | undefined; body: Json | undefined };

/** What comes out of the sandbox; of a reactor, `raw` alone. */
type Returned = {
  headers?: unknown;
  body?: unknown;
  raw?: unknown;
  tokenize?: unknown;
  /** Members besides these: texts, and null for all else. */
  others?: Record<string, string | null>;
};

/** Or what is to be answered, because it failed or wanted so. */
export type TransformOutcome =
  { message: Transformed; made: Pick<MadeTokens, 'ids'> } | { answer: ReactorAnswer };

type Read = { message: Transformed } | { answer: ReactorAnswer };

/**
 * Runs one transform of a proxy. spec: Limits, Reactors; source: reference of proxies, transforms
 * @param args of `req.args`
 * @throws PayloadTooLarge @throws Unprocessable when its reactor is gone
 */
export async function runTransform(
  dependencies: TransformDependencies,
  proxy: ProxyWithSecrets,
  side: Side,
  args: Json,
  origin: Origin,
): Promise<TransformOutcome> {
  const { runCode, reactorTimeout: milliseconds } = dependencies;
  const text = argsText(args);
  const code = await codeToRun(dependencies, proxy, side);
  const made = createMadeTokens();
  const run = { args: text, isMessage: true, milliseconds, origin, watch: made.watch };
  const { outcome } = await runCode(code, run);
  const transformed =
    outcome.kind === 'returned'
      ? returnedIn(outcome.result, transformOf(proxy, side), args)
      : { answer: failedAnswer(outcome, milliseconds) };
  if ('answer' in transformed) return { answer: await made.nameIn(transformed.answer) };
  return { ...transformed, made };
}

function returnedIn(result: string, { isReactor }: { isReactor: boolean }, args: Json): Read {
  const returned = JSON.parse(result) as Returned;
  const { headers, body, raw, tokenize } = returned;
  const isRaw = isReactor || isThere(raw);
  if (isRaw && (headers !== undefined || body !== undefined)) {
    return { answer: runtimeError('A transform must return headers and body either in raw or beside it.') };
  }
  const message = isRaw ? raw : returned;
  const stray =
    strayIn(isThere(tokenize) ? { tokenize: null } : undefined, args) ??
    strayIn(returned.others, args) ??
    (isObject(message) ? strayIn((message as Returned).others, args) : undefined);
  return stray === undefined ? messageIn(message) : { answer: runtimeError(strayFault(stray)) };
}

/** A member that is neither header nor body, nor as code was given it: what it was to do would not happen. */
const strayIn = (others: Returned['others'], args: Json): string | undefined =>
  Object.entries(others ?? {}).find(
    ([name, value]) => value === null || (args as Record<string, unknown>)[name] !== value,
  )?.[0];

function strayFault(name: string): string {
  const shown = name.length > 50 ? `${name.slice(0, 50)}…` : name;
  const instead = name === 'tokenize' ? ': tokens are made by req.bt.tokenize' : '';
  return `A transform must return headers and body alone; nothing is done with '${shown}'${instead}.`;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

function transformOf({ record }: ProxyWithSecrets, side: Side) {
  const transform = side === 'request' ? record.requestTransform : record.responseTransform;
  return {
    code: codeOf(transform),
    reactorId: reactorIdOf(transform),
    isReactor: codeOf(transform) === undefined,
  };
}

async function codeToRun(
  dependencies: TransformDependencies,
  proxy: ProxyWithSecrets,
  side: Side,
): Promise<TenantCode> {
  const { record, secrets } = proxy;
  const { tenantId, id, payloadId, applicationId } = record;
  const { code, reactorId } = transformOf(proxy, side);
  if (code === undefined) {
    const reactor = codeOfReactor(dependencies, await reactorOf(dependencies, tenantId, reactorId));
    return { ...reactor, onBehalfOf: [...reactor.onBehalfOf, id] };
  }
  const content = { code, configuration: secrets.configuration, returns: 'message' as const };
  return {
    tenantId,
    id: `${id} ${side}`,
    onBehalfOf: [id],
    version: payloadId,
    applicationId,
    load: () => Promise.resolve(content),
  };
}

const reactorOf = (dependencies: QueryDependencies, tenantId: string, id: string | undefined) =>
  findRunnableReactor(dependencies, tenantId, id ?? '').catch((error: unknown) => {
    throw error instanceof NotFound ? new Unprocessable('The reactor of the proxy was deleted.') : error;
  });

/** What comes out of a sandbox is not trusted to have the right shape. */
function messageIn(returned: unknown): Read {
  const { headers, body } = isObject(returned) ? returned : {};
  if (headers === undefined && body === undefined) {
    return { answer: runtimeError('A transform must return an object with headers and body.') };
  }
  if (isDeeperThan(body as Json, depthLimit)) {
    return { answer: runtimeError('The body that the transform returned is too deeply nested.') };
  }
  if (headers === undefined || headers === null) {
    return { message: { headers: undefined, body: body as Json } };
  }
  const valid = headersIn(headers, proxyingLimits.headers);
  if (valid === undefined) {
    const told = `The headers that the transform returned are not valid, or too long: ${validHeaders}.`;
    return { answer: runtimeError(told) };
  }
  return { message: { headers: listed(valid), body: body as Json } };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
