import { setTimeout as delay } from 'node:timers/promises';
import type { Exposition } from '#http/metrics.ts';
import { openApiDocument } from '#http/openapi/document.ts';
import { problem } from '#http/problem.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';

/** Something the service stands on. */
export type ReadinessCheck = {
  name: string;
  /** Why it is not ready, or undefined when it is. An error counts as not ready. */
  check(): Promise<string | undefined>;
};

export type SystemDependencies = {
  routes: readonly Route[];
  publicUrl: string;
  readiness: readonly ReadinessCheck[];
  /** Undefined: they are answered elsewhere. */
  metrics: Exposition | undefined;
};

/** How long a readiness check may take, in milliseconds. */
const patience = 2_000;

const open = { method: 'GET', authenticated: false, tags: [], documented: false, responses: {} } as const;

/** Routes for those who run the service: they need no key and are not part of the published interface. */
export function systemRoutes({ routes, publicUrl, readiness, metrics }: SystemDependencies): Route[] {
  const document = JSON.stringify(openApiDocument(routes, publicUrl));
  return [
    defineRoute({
      ...open,
      path: '/healthz',
      summary: 'Whether the process is alive',
      handle: () => Promise.resolve({ status: 200, body: { status: 'alive' } }),
    }),
    // Source: reference of webhooks. Clients have it among their calls of webhooks.
    defineRoute({
      ...open,
      path: '/ping',
      summary: 'Whether requests arrive',
      responses: { 204: null },
      handle: () => Promise.resolve({ status: 204 }),
    }),
    defineRoute({
      ...open,
      path: '/readyz',
      summary: 'Whether requests can be served',
      handle: () => answerReadiness(readiness),
    }),
    ...(metrics === undefined ? [] : [metricsRoute(metrics)]),
    defineRoute({
      ...open,
      path: '/openapi.json',
      rateScope: 'portal',
      summary: 'This interface as OpenAPI 3.1',
      handle: () =>
        Promise.resolve({
          status: 200,
          content: { type: 'application/json; charset=utf-8', data: document },
        }),
    }),
  ];
}

const metricsRoute = (metrics: Exposition): Route =>
  defineRoute({
    ...open,
    path: '/metrics',
    summary: 'Metrics in the format of Prometheus',
    handle: async () => ({
      status: 200,
      content: { type: metrics.contentType, data: await metrics.text() },
    }),
  });

async function answerReadiness(readiness: readonly ReadinessCheck[]): Promise<Answer> {
  const results = await Promise.all(
    readiness.map(async (check) => ({ name: check.name, reason: await reasonOf(check) })),
  );
  const unready = results.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, [reason]]]));
  if (unready.length === 0) return { status: 200, body: { status: 'ready' } };
  return {
    status: 503,
    headers: { 'Retry-After': '1' },
    problem: problem(503, 'Not ready.', Object.fromEntries(unready)),
  };
}

async function reasonOf({ check }: ReadinessCheck): Promise<string | undefined> {
  const abort = new AbortController();
  try {
    return await Promise.race([
      check(),
      delay(patience, 'did not answer in time', { signal: abort.signal, ref: false }),
    ]);
  } catch {
    return 'failed';
  } finally {
    abort.abort();
  }
}
