import * as assert from 'uvu/assert';
import type { Reply, VaultService } from '#test/support/vaultService.ts';
import { until } from '#test/support/until.ts';

export type Connection = {
  id: string;
  connection_formula_id: string;
  method?: string;
  display_name: string;
  status: string;
  accepted_countries: string[];
  accepted_currencies: string[];
  three_d_secure_enabled: boolean;
  active: boolean;
};
export type Problem = { detail?: string; errors?: Record<string, string[]> };

/** A connection to the sandbox, with all that is required. */
export const sandboxConnection = {
  connection_formula_id: 'sandbox-card',
  method: 'card',
  display_name: 'Sandbox',
  fields: [{ key: 'merchant_id', value: 'any' }],
  accepted_countries: ['US'],
  accepted_currencies: ['USD'],
  active: true,
};

export const send = <Body = Connection>(
  { call }: VaultService,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Reply<Body>> =>
  call<Body>(method, `/orchestration/connections${path}`, body, key === undefined ? {} : { key });

/** Creates a connection and expects that this succeeds. */
export async function connect(service: VaultService, attributes: object = {}): Promise<Connection> {
  const reply = await send(service, 'POST', '', { ...sandboxConnection, ...attributes });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export const list = async (service: VaultService): Promise<Connection[]> =>
  (await send<Connection[]>(service, 'GET', '')).body;

export const statusOf = async (service: VaultService, id: string): Promise<string | undefined> =>
  (await list(service)).find((connection) => connection.id === id)?.status;

/** Waits until its credentials were checked. */
export const settled = async (service: VaultService, id: string, status: string): Promise<void> => {
  await until(async () => (await statusOf(service, id)) === status);
};

/** Messages of a refusal, by path. */
export async function faults(
  service: VaultService,
  attributes: object,
  [method, path]: [string, string] = ['POST', ''],
): Promise<Record<string, string[]>> {
  const reply = await send<Problem>(service, method, path, { ...sandboxConnection, ...attributes });
  assert.is(reply.status, 400, JSON.stringify(reply.body));
  return reply.body.errors ?? {};
}

/** The ids of the payloads that the vault holds of a connection. */
export async function payloads({ composition }: VaultService, id: string): Promise<string[]> {
  const { rows } = await composition.pools.owner.query<{ id: string }>(
    'select id from vault.payloads where stream like $1 order by id',
    [`connection-%${id}`],
  );
  return rows.map((row) => row.id);
}
