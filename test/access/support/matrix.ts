import { permissionsOf } from '#access/permissions.ts';
import type { Transform } from '#access/accessRule.ts';
import type { PublishedRoute } from '#test/access/support/everyRoute.ts';

/** Who asks. A session has what a private application lends it. */
export const callers = ['public', 'private', 'management', 'session', 'unknown'] as const;
export type CallerKind = (typeof callers)[number];

/** `all but it`: everything that its type may hold, without the permission of the route. */
export type Holding = 'only it' | 'all but it';

/** Whose the thing is that the path or the body names; `none`: neither names one. */
export type Entity = 'own' | 'foreign' | 'absent' | 'none';

/** One request of the matrix. */
export type Cell = {
  route: PublishedRoute;
  caller: CallerKind;
  holds: Holding;
  entity: Entity;
  /** Of the rule that grants the permission, where it is one over tokens; else it is granted plainly. */
  transform?: Transform;
};

const transforms: readonly Transform[] = ['redact', 'mask', 'reveal'];

/** Routes whose body names a thing, by an id that another tenant may have. */
const namesInBody = new Set([
  'POST /detokenize',
  'POST /orchestration/transactions',
  'POST /3ds/sessions',
  'POST /account-updater/real-time',
  'POST /sessions/authorize',
]);

/** Every cell of the published routes, in an order in which none takes away what another needs. */
export function cellsOf(routes: readonly PublishedRoute[]): Cell[] {
  const cells = routes.flatMap((route) =>
    callers.flatMap((caller) =>
      holdings(route, caller).flatMap(([holds, transform]) =>
        entities(route).map((entity) => ({
          ...{ route, caller, holds, entity },
          ...(transform === undefined ? {} : { transform }),
        })),
      ),
    ),
  );
  return cells.sort((a, b) => destruction(a) - destruction(b));
}

/** What an application of this type, or a session, may hold. */
export function holdable(caller: CallerKind): string[] {
  if (caller === 'unknown') return [];
  return permissionsOf(caller === 'session' ? 'private' : caller);
}

function holdings(route: PublishedRoute, caller: CallerKind): [Holding, Transform | undefined][] {
  const permission = route.operation['x-permission'];
  const may = permission === undefined || holdable(caller).includes(permission);
  if (!may) return [['all but it', undefined]];
  if (permission === undefined) return [['only it', undefined]];
  const granted = permission.startsWith('token:') ? transforms : [undefined];
  return [
    ...granted.map((transform): [Holding, Transform | undefined] => ['only it', transform]),
    ['all but it', undefined],
  ];
}

const entities = ({ name, path }: PublishedRoute): Entity[] =>
  path.includes('{') || namesInBody.has(name) ? ['foreign', 'absent', 'own'] : ['none'];

/** What is allowed to delete comes last, parts before the whole, the tenant at the very end. */
function destruction({ route, holds, entity }: Cell): number {
  if (route.method !== 'DELETE' || holds !== 'only it' || (entity !== 'own' && entity !== 'none')) return 0;
  if (route.path === '/tenants/self') return 10;
  return 5 - Math.min(route.path.split('/').length, 4);
}

/** How a cell is called in a message. */
export const nameOf = ({ route, caller, holds, entity, transform }: Cell): string =>
  `${route.name} by ${caller} with ${holds}${transform === undefined ? '' : ` (${transform})`}, ${entity}`;
