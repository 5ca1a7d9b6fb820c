import { operationOf } from '#http/request/audit.ts';
import type { Answer, Route } from '#http/route.ts';
import type { Views } from '#ports/views.ts';

/**
 * An answer that says so where a view could not take what it is about: it may be older than what was acknowledged. A
 * list of a tenant may lack such a thing.
 */
export function markParked(
  views: Pick<Views, 'isParked'>,
  route: Route,
  tenantId: string,
  params: Readonly<Record<string, string>>,
  answer: Answer,
): Answer {
  if (!views.isParked(tenantId) || !isAbout(views, route, tenantId, params, answer)) return answer;
  return { ...answer, headers: { ...answer.headers, 'Holdfast-Stale': 'true' } };
}

function isAbout(
  { isParked }: Pick<Views, 'isParked'>,
  route: Route,
  tenantId: string,
  params: Readonly<Record<string, string>>,
  { about = [] }: Answer,
): boolean {
  const ids = [...Object.values(params), ...about.map(({ id }) => id)];
  return ids.length === 0 ? operationOf(route) === 'read' : ids.some((id) => isParked(tenantId, id));
}
