import Type from 'typebox';
import { mayAnywhere } from '#access/evaluate.ts';
import { createProxy } from '#commands/proxy/create.ts';
import type { ProxyDependencies } from '#commands/proxy/content.ts';
import { deleteProxy } from '#commands/proxy/delete.ts';
import { patchProxy } from '#commands/proxy/patch.ts';
import { updateProxy } from '#commands/proxy/update.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentProxy } from '#http/presenters/proxy.ts';
import { defineRoute } from '#http/route.ts';
import type { Route, Shown } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { namedQuery, paginated } from '#http/schemas/pagination.ts';
import { PatchProxy, Proxy, WriteProxy } from '#http/schemas/proxy.ts';
import { getProxy } from '#queries/proxy/get.ts';
import { listProxies } from '#queries/proxy/list.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

const tags = ['Proxies'];
const audits = { entity: 'proxy' } as const;

const present = (proxy: ProxyWithSecrets): object => presentProxy(proxy, true);

/** Source: reference of proxies. */
export const proxyRoutes = (dependencies: RouteDependencies & ProxyDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/proxies',
    summary: 'Create a proxy',
    tags,
    permission: 'proxy:create',
    audits,
    // The answer holds secrets, which are not to outlive the proxy by a day.
    sensitive: true,
    body: WriteProxy,
    responses: { 201: Proxy },
    handle: async (request) => {
      const created = await createProxy(dependencies, commandContext(request), request.body);
      return { ...answer(201, created, present), shown: shownOf([created.result]) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/proxies',
    summary: 'List proxies, newest first',
    tags,
    permission: 'proxy:read',
    audits,
    query: Type.Object(namedQuery),
    responses: { 200: paginated(Proxy) },
    handle: async ({ caller, query: { id: ids, name, page, size } }) => {
      const found = await listProxies(dependencies, caller.tenantId, { ids, name }, { page, size });
      return { status: 200, body: presentPage(found, present), shown: shownOf(found.items) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/proxies/:id',
    summary: 'Get a proxy',
    tags,
    permission: 'proxy:read',
    audits,
    responses: { 200: Proxy },
    handle: async ({ caller, params }) => {
      const proxy = await getProxy(dependencies, caller.tenantId, params.id);
      return { status: 200, body: present(proxy), shown: shownOf([proxy]) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/proxies/:id',
    summary: 'Update a proxy',
    description: 'Replaces it whole, but for its key: without transforms, or with empty ones, it has none.',
    tags,
    permission: 'proxy:update',
    audits,
    sensitive: true,
    body: WriteProxy,
    responses: { 200: Proxy },
    problems: [409],
    handle: async (request) => {
      const { caller, params, body } = request;
      const updated = await updateProxy(dependencies, commandContext(request), params.id, body);
      const isReader = mayAnywhere(caller, 'proxy:read');
      return {
        ...answer(200, updated, (proxy) => presentProxy(proxy, isReader)),
        ...(isReader ? { shown: shownOf([updated.result]) } : {}),
      };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/proxies/:id',
    summary: 'Merge a patch into a proxy',
    description:
      'By RFC 7386: null takes away a transform, an entry of the configuration, or the application; an empty text, object or list in their place changes nothing.',
    tags,
    permission: 'proxy:update',
    audits,
    body: PatchProxy,
    responses: { 204: null },
    problems: [409],
    handle: async (request) => {
      const { params, body } = request;
      return answer(204, await patchProxy(dependencies, commandContext(request), params.id, body));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/proxies/:id',
    summary: 'Delete a proxy, and the key that names it',
    tags,
    permission: 'proxy:delete',
    audits,
    responses: { 204: null },
    problems: [409],
    handle: async (request) =>
      answer(204, await deleteProxy(dependencies, commandContext(request), request.params.id)),
  }),
];

/** Key, destination and configuration are secret, so each that an answer shows is told of in the audit log. */
const shownOf = (proxies: readonly ProxyWithSecrets[]): Shown[] =>
  proxies.map(({ record }) => ({ id: record.id, transform: 'reveal' }));
