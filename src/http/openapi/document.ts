import { IsOptional } from 'typebox';
import { Components } from '#http/openapi/components.ts';
import { refusesMembers, refusesParameters } from '#http/request/refusals.ts';
import type { DocumentNode } from '#http/openapi/components.ts';
import { problem } from '#http/problem.ts';
import { problemTypes } from '#http/problemType.ts';
import { mediaTypes } from '#http/request/contentType.ts';
import type { BodyKind, Route } from '#http/route.ts';
import { ProblemSchema } from '#http/schemas/problem.ts';

const version = '1.0.0';

const traceHeader = {
  name: 'BT-TRACE-ID',
  in: 'header',
  description:
    'Echoed in the answer; a uuid also names the request in events and logs. One of more than 200 characters, or with others than printable ASCII, is replaced by a new uuid.',
  schema: { type: 'string', maxLength: 200 },
};
const idempotencyHeader = {
  name: 'BT-IDEMPOTENCY-KEY',
  in: 'header',
  description: 'A success is answered again to requests with the same key, for 24 hours.',
  schema: { type: 'string', maxLength: 400 },
};

/** The published interface as OpenAPI 3.1, from the same declarations that serve it. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): DocumentNode {
  const components = new Components();
  const documented = routes.filter((route) => route.documented !== false);
  const paths: Record<string, DocumentNode> = {};
  for (const route of documented) {
    const path = (paths[templated(route.path)] ??= {});
    path[route.method.toLowerCase()] = operation(route, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version, description: 'A self-hosted, event-sourced vault.' },
    servers: [{ url: publicUrl }],
    tags: [...new Set(documented.flatMap((route) => route.tags))].map((name) => ({ name })),
    security: [{ key: [] }],
    paths,
    components: {
      schemas: components.schemas,
      parameters: { trace: traceHeader, idempotencyKey: idempotencyHeader },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'BT-API-KEY' } },
    },
  };
}

const templated = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function operation(route: Route, components: Components): DocumentNode {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: route.tags,
    ...securityOf(route),
    ...(route.permission === undefined ? {} : { 'x-permission': route.permission }),
    parameters: parameters(route, components),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: bodyContent(route.bodyKind, components.refer(route.body)),
          },
        }),
    responses: {
      ...successes(route, components),
      ...failures(route, components),
      ...(route.answersFreely === true
        ? { default: { description: 'What code or destinations of the tenant answer.' } }
        : {}),
    },
  };
}

function securityOf({ authenticated }: Route): DocumentNode {
  if (authenticated === true) return {};
  return { security: authenticated === 'optional' ? [{ key: [] }, {}] : [] };
}

/** `GET /applications/:id/keys` is `getApplicationsByIdKeys`. */
const bodyContent = (kind: BodyKind, schema: DocumentNode): DocumentNode =>
  Object.fromEntries(mediaTypes[kind].map((type) => [type, { schema }]));

function operationId(route: Route): string {
  const words = route.path
    .split(/[/\-.]/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? `By${capitalized(word.slice(1))}` : capitalized(word)));
  return route.method.toLowerCase() + words.join('');
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function parameters(route: Route, components: Components): DocumentNode[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: components.refer(route.params?.properties[name] ?? { type: 'string' }),
  }));
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => {
    const document = components.refer(schema);
    return {
      name,
      in: 'query',
      required: !IsOptional(schema) && document['default'] === undefined,
      ...(document['type'] === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema: document,
    };
  });
  return [
    ...inPath,
    ...inQuery,
    { $ref: '#/components/parameters/trace' },
    ...(route.idempotent ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
  ];
}

function successes(route: Route, components: Components): DocumentNode {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: schema === null ? 'Done; there is no body.' : 'Done.',
        ...(schema === null
          ? {}
          : { content: { [route.answerType ?? 'application/json']: { schema: components.refer(schema) } } }),
      },
    ]),
  );
}

function failures(route: Route, components: Components): DocumentNode {
  const statuses = new Set([
    ...(takesInput(route) || refusesParameters(route) ? [400] : []),
    ...(route.authenticated ? [401] : []),
    ...(route.permission === undefined ? [] : [403]),
    ...(route.path.includes(':') ? [404] : []),
    ...(route.idempotent ? [409] : []),
    ...(route.body === undefined && !refusesMembers(route) ? [] : [413, 415]),
    ...(route.problems ?? []),
    429,
    500,
    503,
  ]);
  const schema = components.refer(route.problemForm?.schema ?? ProblemSchema);
  const types = route.problemForm === undefined ? problemTypes : ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return Object.fromEntries(
    [...statuses].map((status) => [status, { description: problem(status).title, content }]),
  );
}

const takesInput = (route: Route): boolean =>
  route.body !== undefined || route.query !== undefined || route.path.includes(':') || route.idempotent;
