import * as assert from 'uvu/assert';
import type { ApplicationType } from '#domain/application/events.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

export type Reactor = Record<string, unknown> & {
  id: string;
  name: string;
  configuration: Record<string, string>;
};
export type List = { pagination: Record<string, number>; data: Reactor[] };
export type Problem = { detail?: string; errors?: Record<string, string[]> };

/** A body that has all that is required. */
export const minimal = { name: 'one', code: 'module.exports = async () => ({})', configuration: {} };

/** A request of a management application. */
export const manage = <Body = Record<string, never>>(
  service: VaultService,
  method: string,
  path: string,
  body?: unknown,
  key: string = service.keys.management,
): Promise<Reply<Body>> => service.call<Body>(method, `/reactors${path}`, body, { key });

/** Creates a reactor and expects that this succeeds. */
export async function create(service: VaultService, attributes: object = {}): Promise<Reactor> {
  const reply = await manage<Reactor>(service, 'POST', '', { ...minimal, ...attributes });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export const get = async (service: VaultService, id: string): Promise<Reactor> =>
  (await manage<Reactor>(service, 'GET', `/${id}`)).body;

/** Patches a reactor and expects that this succeeds. */
export async function patch(service: VaultService, id: string, changes: object): Promise<void> {
  const reply = await manage<Problem>(service, 'PATCH', `/${id}`, changes);
  assert.equal([reply.status, reply.body], [204, {}]);
}

/** The paths of what a request is refused for. */
export async function faultsOf(
  service: VaultService,
  method: string,
  path: string,
  body: unknown,
): Promise<string[]> {
  const reply = await manage<Problem>(service, method, path, body);
  assert.is(reply.status, 400, JSON.stringify(reply.body));
  return Object.keys(reply.body.errors ?? {}).sort();
}

export type Application = { id: string; key: string } & Record<string, unknown>;

export async function createApplication(
  { call, keys }: VaultService,
  type: ApplicationType,
  permissions: readonly string[],
  key: string = keys.management,
): Promise<Application> {
  const body = { name: `for reactors: ${type}`, type, permissions };
  const reply = await call<Application>('POST', '/applications', body, { key });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** The ids of the configurations that the vault holds of a reactor, or of all. */
export async function payloads({ composition }: VaultService, id = ''): Promise<string[]> {
  const { rows } = await composition.pools.owner.query<{ id: string }>(
    'select id from vault.payloads where stream like $1 order by id',
    [`reactor-%${id}`],
  );
  return rows.map((row) => row.id);
}
