import { BasisTheoryClient } from '@basis-theory/node-sdk';
import type { Operations } from '#test/sdk/support/operations.ts';
import type { Served } from '#test/sdk/support/served.ts';

export type Context = Served & {
  vault: BasisTheoryClient;
  management: BasisTheoryClient;
  clientOf(key: string | undefined): BasisTheoryClient;
};

/** Not all operations take them. */
type CallOptions = { idempotencyKey?: string };

/** Trace ids are a client's: the library has an option of a call for them, but does not send it. */
export const clientOf = (
  apiKey: string,
  { port }: { port: number },
  correlationId?: string,
): BasisTheoryClient =>
  new BasisTheoryClient({ apiKey, environment: `http://localhost:${port}`, correlationId });

/** Every operation on tokens, each on the token of that id. */
export const tokenOperations = ({ tokens }: BasisTheoryClient, id: string, options?: CallOptions) =>
  ({
    create: () => tokens.create({ type: 'token', data: 1 }, options),
    delete: () => tokens.delete(id),
    detokenize: () => tokens.detokenize({ plain: true }),
    get: () => tokens.get(id),
    list: () => tokens.list({}),
    listV2: () => tokens.listV2({}),
    search: () => tokens.search({}, options),
    searchV2: () => tokens.searchV2({}, options),
    tokenize: () => tokens.tokenize({ name: 'John' }, options),
    update: () => tokens.update(id, { metadata: { color: 'red' } }, options),
  }) satisfies Operations;

/** Every operation on applications, each on the application of that id. */
export const applicationOperations = (
  { applications }: BasisTheoryClient,
  id: string,
  options?: CallOptions,
) =>
  ({
    create: () => applications.create({ name: 'new', type: 'private', permissions: ['token:read'] }, options),
    delete: () => applications.delete(id),
    get: () => applications.get(id),
    getByKey: () => applications.getByKey(),
    list: () => applications.list({}),
    update: () => applications.update(id, { name: 'changed', permissions: ['token:read'] }, options),
  }) satisfies Operations;

/** Every operation on the keys of the application of that id. */
export const keyOperations = (
  { applicationKeys }: BasisTheoryClient,
  id: string,
  keyId: string,
  options?: CallOptions,
) =>
  ({
    create: () => applicationKeys.create(id, options),
    delete: () => applicationKeys.delete(id, keyId),
    get: () => applicationKeys.get(id, keyId),
    list: () => applicationKeys.list(id, {}),
  }) satisfies Operations;
