import { nameOf } from '#test/access/support/matrix.ts';
import type { CallerKind, Cell } from '#test/access/support/matrix.ts';
import type { Reply } from '#test/support/vaultService.ts';

/** Routes for the keys of one type of application, without a permission. */
const onlyFor: Readonly<Record<string, CallerKind>> = {
  'POST /sessions': 'public',
  'POST /sessions/authorize': 'private',
};

/** Routes that give the data to somebody else, so that a view of it is not enough. */
const usesData = new Set(['POST /orchestration/transactions']);

/** Signed by the sender: a key is not looked at. */
const withoutKey = new Set(['POST /orchestration/notifications/{tenant_id}/{connection_id}']);

/** Permissions under which a rule that reveals shows the data of tokens. */
const showing = new Set(['token:read', 'token:search', 'token:use']);

/**
 * What is wrong with an answer, or undefined. Written from the specification, not from the routes: a caller without a
 * good key is 401, without the permission 403 with its name, whatever the path names; what is another tenant's is
 * answered as what is not there; hidden data is shown under `reveal` alone.
 */
export function surpriseOf(cell: Cell, { status, body }: Reply<unknown>, hidden: string): string | undefined {
  const text = JSON.stringify(body);
  const permission = cell.route.operation['x-permission'];
  const says = (what: string): string => `${nameOf(cell)}: ${what}, not ${status} ${text.slice(0, 300)}`;
  const revealed = showing.has(permission ?? '') && cell.transform === 'reveal' && cell.entity !== 'foreign';
  if (text.includes(hidden) && !revealed) return says('must not show hidden data');
  if (cell.caller === 'unknown' && !withoutKey.has(cell.route.name)) {
    return status === 401 ? undefined : says('401');
  }
  if (cell.holds === 'all but it') {
    if (status !== 403) return says('403');
    return text.includes(permission ?? '') ? undefined : says(`must name ${String(permission)}`);
  }
  if (cell.entity === 'foreign' || cell.entity === 'absent') {
    const isRefused = status === 404 || (!cell.route.path.includes('{') && status >= 400 && status < 500);
    return isRefused ? undefined : says('404');
  }
  const only = onlyFor[cell.route.name];
  if (only !== undefined && only !== cell.caller) return status === 403 ? undefined : says('403');
  if (usesData.has(cell.route.name) && cell.transform !== 'reveal') {
    return status === 403 && text.includes(permission ?? '') ? undefined : says('403 for a view of the data');
  }
  if (withoutKey.has(cell.route.name)) return undefined;
  const isRefused = status === 401 || status === 403 || status >= 500;
  return isRefused ? says('an answer to somebody who may') : undefined;
}
