import javascriptSdk from '@basis-theory/basis-theory-js';
import { BasisTheoryApiError } from '@basis-theory/basis-theory-js/common/BasisTheoryApiError.js';
import { failureOf } from '#test/sdk/support/failure.ts';
import type { Operations } from '#test/sdk/support/operations.ts';
import type { Served } from '#test/sdk/support/served.ts';

export type Client = Awaited<ReturnType<typeof clientOf>>;
export type Context = Served & { vault: Client; management: Client };
type Problem = { title: string; status: number; detail: string; errors?: Record<string, string[]> };
type CallOptions = { apiKey?: string; correlationId?: string; idempotencyKey?: string };

/** The library speaks plain HTTP to the name localhost only. */
export const clientOf = (key: string, { port }: { port: number }) =>
  new javascriptSdk.BasisTheory().init(key, { apiBaseUrl: `http://localhost:${port}` });

/** What the library throws: a status, and the problem with names as the library writes them. */
export async function refusalOf(run: Promise<unknown>): Promise<{ status: number; data: Problem }> {
  const failure = await failureOf(run);
  if (!(failure instanceof BasisTheoryApiError)) throw failure;
  return { status: failure.status, data: failure.data as Problem };
}

export const statusOf = async (run: Promise<unknown>): Promise<number> => (await refusalOf(run)).status;

/** Every operation on tokens, each on the token of that id. */
export const tokenOperations = (client: Client, id: string, options?: CallOptions) =>
  ({
    create: () => client.tokens.create({ type: 'token', data: 1 }, options),
    delete: () => client.tokens.delete(id, options),
    list: () => client.tokens.list({}, options),
    retrieve: () => client.tokens.retrieve(id, options),
    search: () => client.tokens.search({}, options),
    update: () => client.tokens.update(id, { metadata: { color: 'red' } }, options),
  }) satisfies Operations;

/** Every operation on applications, each on the application of that id. */
export const applicationOperations = (client: Client, id: string, options?: CallOptions) =>
  ({
    create: () =>
      client.applications.create({ name: 'new', type: 'private', permissions: ['token:read'] }, options),
    delete: () => client.applications.delete(id, options),
    list: () => client.applications.list({}, options),
    regenerateKey: () => client.applications.regenerateKey(id, options),
    retrieve: () => client.applications.retrieve(id, options),
    retrieveByKey: () => client.applications.retrieveByKey(options),
    update: () => client.applications.update(id, { name: 'changed', permissions: ['token:read'] }, options),
  }) satisfies Operations;
