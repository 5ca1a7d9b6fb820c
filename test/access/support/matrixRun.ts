import * as assert from 'uvu/assert';
import { furnish } from '#test/access/support/estate.ts';
import type { Owned } from '#test/access/support/estate.ts';
import { everyRoute, requestFor } from '#test/access/support/everyRoute.ts';
import { cellsOf, holdable, nameOf } from '#test/access/support/matrix.ts';
import type { CallerKind, Cell } from '#test/access/support/matrix.ts';
import { surpriseOf } from '#test/access/support/surprises.ts';
import { randomId } from '#src/identifiers.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

const environment = { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' };

/** Data of the tokens that cells are about: it is in no answer by chance. */
const hidden = 'hidden-from-who-may-not-read';

type Household = { service: VaultService; owned: Owned };

/**
 * Asks the cells that are chosen, each caller kind in a tenant of its own, and answers what surprised.
 * @param choose out of all cells
 */
export async function surprisesIn(
  choose: (cells: readonly Cell[]) => readonly Cell[],
): Promise<{ asked: number; granted: number; surprises: string[] }> {
  const foreign = await household();
  const households = new Map<CallerKind, Household>();
  const keys = new Map<string, string>();
  const answers = new Map<string, string>();
  const surprises: string[] = [];
  let granted = 0;
  try {
    const cells = choose(cellsOf(await everyRoute(foreign.service)));
    for (const cell of cells) {
      const own = households.get(cell.caller) ?? (await household());
      households.set(cell.caller, own);
      const key = await keyFor(cell, own.service, keys);
      const reply = await ask(cell, own, foreign.owned, key);
      if (reply.status < 300) granted += 1;
      const surprise = surpriseOf(cell, reply, hidden) ?? differenceOf(cell, reply, answers);
      if (surprise !== undefined) surprises.push(surprise);
    }
    return { asked: cells.length, granted, surprises };
  } finally {
    for (const { service } of [foreign, ...households.values()]) await service.close();
  }
}

async function household(): Promise<Household> {
  const service = await startVaultService({ environment });
  return { service, owned: await furnish(service) };
}

async function ask(cell: Cell, own: Household, foreign: Owned, key: string): Promise<Reply<unknown>> {
  const { service } = own;
  const { target, body } = requestFor(cell.route, await ownedFor(cell, own, foreign));
  return service.call<unknown>(cell.route.method, target, body, { key });
}

async function ownedFor(cell: Cell, { service, owned }: Household, foreign: Owned): Promise<Owned> {
  if (cell.entity === 'foreign') return foreign;
  if (cell.entity === 'absent') {
    return Object.fromEntries(Object.keys(foreign).map((name) => [name, randomId()])) as Owned;
  }
  if (cell.transform === undefined) return owned;
  // Cells that change or delete a token have one each.
  const created = await service.call<{ id: string }>('POST', '/tokens', {
    type: 'token',
    data: { secret: hidden },
    mask: { secret: '{{ data.secret | reveal_last: 2 }}' },
  });
  assert.is(created.status, 201, JSON.stringify(created.body));
  return { ...owned, token: created.body.id };
}

/** The key of a caller as the cell wants it; the same for cells that want the same. */
async function keyFor(cell: Cell, service: VaultService, keys: Map<string, string>): Promise<string> {
  const { caller, holds, route, transform } = cell;
  if (caller === 'unknown') return `key_${'x'.repeat(32)}`;
  const permission = route.operation['x-permission'];
  const rights =
    holds === 'all but it'
      ? { permissions: holdable(caller).filter((one) => one !== permission) }
      : transform === undefined
        ? { permissions: permission === undefined ? holdable(caller) : [permission] }
        : { rules: [{ priority: 1, container: '/', permissions: [permission], transform }] };
  const name = `${caller} ${JSON.stringify(rights)}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const made =
    caller === 'session' ? await authorizedSession(service, rights) : await keyOf(service, caller, rights);
  keys.set(name, made);
  return made;
}

async function keyOf(service: VaultService, type: string, rights: object): Promise<string> {
  const management = { key: service.keys.management };
  const application = { name: 'cell', type, ...rights };
  const created = await service.call<{ key: string }>('POST', '/applications', application, management);
  assert.is(created.status, 201, JSON.stringify([application, created.body]));
  return created.body.key;
}

async function authorizedSession(service: VaultService, rights: object): Promise<string> {
  const session = await service.call<{ session_key: string; nonce: string }>('POST', '/sessions', undefined, {
    key: service.keys.public,
  });
  const lender = await keyOf(service, 'private', rights);
  const authorized = await service.call(
    'POST',
    '/sessions/authorize',
    { nonce: session.body.nonce, ...rights },
    {
      key: lender,
    },
  );
  assert.is(authorized.status, 200, JSON.stringify([rights, authorized.body]));
  return session.body.session_key;
}

/** Whether what is another tenant's is answered in other words than what is not there. */
function differenceOf(
  cell: Cell,
  { status, body }: Reply<unknown>,
  answers: Map<string, string>,
): string | undefined {
  if (cell.entity !== 'foreign' && cell.entity !== 'absent') return undefined;
  const place = nameOf({ ...cell, entity: 'none' });
  const answer = JSON.stringify([status, body]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'an id');
  const other = answers.get(place);
  answers.set(place, answer);
  return other === undefined || other === answer ? undefined : `${place}: ${other} and ${answer}`;
}
