import Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type { HttpMiddleware, RequestState } from '#http/context.ts';
import { endpoint } from '#http/endpoint.ts';
import type { EndpointDependencies } from '#http/endpoint.ts';
import { problem, sendProblem } from '#http/problem.ts';
import type { ProblemForm } from '#http/problemDetails.ts';
import type { Route } from '#http/route.ts';
import { invalid } from '#http/validation/faults.ts';

/** Where requests go. */
export type Routing = {
  /** Before all else: what refuses a request short of its route is told in the form of the routes there. */
  presentProblems: HttpMiddleware;
  /** Serves what a route takes, and passes the rest on. */
  dispatch: RouterMiddleware<RequestState>;
  /** The methods that routes take at a path; none when there is no such resource. */
  methodsAt(path: string): string[];
};

/**
 * Registers routes so that a fixed segment comes before a parameter (`/applications/key` before
 * `/applications/:id`), in whatever order they are given. Each first segment has a router of its own: a router
 * tries one pattern after the other, and sixty of them are felt on every request.
 */
export function createRouting(routes: readonly Route[], dependencies: EndpointDependencies): Routing {
  const groups = Map.groupBy(ordered(routes), (route) => firstSegment(route.path));
  const routers = new Map(
    [...groups].map(([segment, group]) => [segment, createRouter(group, dependencies)]),
  );
  const forms = new Map([...groups].map(([segment, group]) => [segment, commonForm(group)]));
  const dispatchers = new Map([...routers].map(([segment, router]) => [segment, router.routes()]));
  return {
    presentProblems: (context, next) => {
      // The parser finds none in some targets.
      const path: unknown = context.path;
      if (typeof path === 'string') context.state.problemForm = forms.get(firstSegment(path));
      return next();
    },
    dispatch: (context, next) => {
      const dispatch = dispatchers.get(firstSegment(context.path));
      return dispatch === undefined ? next() : dispatch(context, next);
    },
    methodsAt: (path) => {
      const matches = routers.get(firstSegment(path))?.match(path, '').path ?? [];
      return [...new Set(matches.flatMap((layer) => layer.methods))];
    },
  };
}

/** How problems go out wherever one of these routes might serve. */
const commonForm = (routes: readonly Route[]): ProblemForm | undefined =>
  routes.every(({ problemForm }) => problemForm !== undefined) ? routes[0]?.problemForm : undefined;

function createRouter(routes: readonly Route[], dependencies: EndpointDependencies): Router<RequestState> {
  const router = new Router<RequestState>();
  for (const route of routes) {
    router.register(route.path, [route.method], endpoint(route, dependencies));
  }
  return router;
}

function ordered(routes: readonly Route[]): Route[] {
  const sorted = routes.toSorted((a, b) => compare(rank(a.path), rank(b.path)));
  const twice = sorted.find((route, index) => sorted.findIndex((other) => isSame(route, other)) !== index);
  if (twice !== undefined) throw new Error(`two routes for ${twice.method} ${twice.path}`);
  return sorted;
}

const isSame = (a: Route, b: Route): boolean => a.method === b.method && a.path === b.path;

/** Routers do not look at case. */
const firstSegment = (path: string): string => path.slice(1, end(path)).toLowerCase();

function end(path: string): number {
  const slash = path.indexOf('/', 1);
  return slash === -1 ? path.length : slash;
}

/** A parameter sorts after anything a fixed segment starts with. */
const rank = (path: string): string => path.replaceAll(':', '\u{10ffff}');
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** A path is decoded once, strictly: what cannot be decoded names nothing. */
export const requireReadablePath: HttpMiddleware = (context, next) => {
  // The target `http://` is a URL to the parser, and one without a path.
  const path: unknown = context.path;
  if (typeof path !== 'string') throw invalid('path', 'must be there');
  if (context.path.includes('%')) requireReadable(context.path);
  return next();
};

function requireReadable(path: string): void {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw invalid('path', 'must be percent-encoded UTF-8');
  }
  if (decoded.includes('\0')) throw invalid('path', 'must not hold a NUL character');
}

/** What no route took: another method of a resource, or nothing at all. */
export function unmatched(routing: Routing): HttpMiddleware {
  return (context) => {
    const methods = routing.methodsAt(context.path);
    if (methods.length === 0) {
      sendProblem(context, problem(404, 'There is no such resource.'));
      return;
    }
    context.set('Allow', [...methods, 'OPTIONS'].sort().join(', '));
    if (context.method === 'OPTIONS') context.status = 204;
    else sendProblem(context, problem(405));
  };
}
