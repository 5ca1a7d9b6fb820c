import { randomUUID } from 'node:crypto';
import { createDispatch } from '#http/dispatch.ts';
import { createAccessDirectory } from '#infra/postgres/accessDirectory.ts';
import type { InnerAnswer, InnerRequest, Origin } from '#ports/dispatch.ts';
import { createBt } from '#src/reactors/bt.ts';
import type { BindBt } from '#src/reactors/bt.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** What requests of code stem from, in tests. */
export const origin: Origin = { traceId: randomUUID(), address: '203.0.113.7', depth: 1 };

/** The service as code of its reactors calls it. */
export const lendingOf = ({ composition, app }: VaultService): BindBt =>
  createBt({
    dispatch: createDispatch({ app, logger: composition.logger }),
    accessDirectory: createAccessDirectory({ ...composition, feed: composition.views }),
  });

/** A call with defaults; bodies are whatever JSON the service sent. */
export async function ask(
  bt: (request: InnerRequest) => Promise<InnerAnswer>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<InnerAnswer & { body: any }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const [pathname = '', query = ''] = path.split('?');
  return bt({
    method,
    path: pathname,
    query,
    headers: body === undefined ? headers : { 'content-type': contentType, ...headers },
    body,
  });
}

/** The id of a new application with these rights. */
export async function lender(
  service: VaultService,
  permissions: readonly string[],
  more: object = {},
  key: string = service.keys.management,
): Promise<string> {
  const application = { name: 'lender', type: 'private', permissions, ...more };
  const reply = await service.call<{ id: string }>('POST', '/applications', application, { key });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body.id;
}
