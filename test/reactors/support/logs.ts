import * as assert from 'uvu/assert';
import { create, manage } from '#test/reactors/support/reactors.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

export type Log = {
  id: string;
  trace_id: string;
  started_at: string;
  milliseconds: number;
  outcome: string;
  status?: number;
  lines: { level: string; text: string }[];
};
export type List = { pagination: Record<string, number>; data: Log[] };

export const list = (service: VaultService, id: string, query = '', key?: string): Promise<Reply<List>> =>
  manage<List>(service, 'GET', `/${id}/logs${query}`, undefined, key);
export const react = (service: VaultService, id: string, args: unknown = null): Promise<Reply> =>
  service.call('POST', `/reactors/${id}/react`, { args });

/** Runs code once and answers its log. */
export async function logOf(
  service: VaultService,
  code: string,
  args?: unknown,
  configuration = {},
): Promise<Log> {
  const { id } = await create(service, { code, configuration });
  await react(service, id, args);
  await service.composition.logKeeper.flush();
  const { body } = await list(service, id);
  assert.is(body.data.length, 1);
  return body.data[0] as Log;
}
export const textsOf = ({ lines }: Log): string[] => lines.map(({ text }) => text);

/** The rows that say there is a log, and the payloads that say what is in it. */
export async function rowsOf(
  { composition }: VaultService,
  reactorId: string,
): Promise<[rows: number, payloads: number]> {
  const { rows } = await composition.pools.owner.query<{ rows: number; payloads: number }>(
    `select count(*)::int as rows, count(payload.id)::int as payloads
     from work.reactor_logs as log left join vault.payloads as payload
       on payload.tenant_id = log.tenant_id and payload.id = log.invocation_id
     where log.reactor_id = $1`,
    [reactorId],
  );
  return [rows[0]?.rows ?? 0, rows[0]?.payloads ?? 0];
}
