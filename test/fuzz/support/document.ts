/** A node of JSON Schema, as far as the generator reads it. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
};

type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Content = Readonly<Record<string, { schema: Schema }>>;
type DocumentedOperation = {
  operationId: string;
  security?: readonly unknown[];
  'x-permission'?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
};

/** What `/openapi.json` of a running service says, as far as the generator reads it. */
export type OpenApiDocument = {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters?: Readonly<Record<string, Parameter>>;
  };
};

export type Operation = {
  /** `POST /tokens/{id}`. */
  name: string;
  method: string;
  path: string;
  authenticated: boolean;
  permission: string | undefined;
  pathParameters: readonly Parameter[];
  query: readonly Parameter[];
  headers: readonly Parameter[];
  bodies: readonly { type: string; schema: Schema }[];
  /** What answers hold, by status; undefined where there is no body. */
  answers: ReadonlyMap<number, { type: string; schema: Schema } | undefined>;
  /** Whether code or destinations of tenants choose the status: the document then has a `default` answer. */
  answersFreely: boolean;
};

/** All that the service says it can be asked. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(document, path, method, operation)),
  );
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
): Operation {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const within = (place: string): Parameter[] => parameters.filter((parameter) => parameter.in === place);
  const statuses = Object.entries(operation.responses).filter(([status]) => status !== 'default');
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    authenticated: operation.security?.length !== 0,
    permission: operation['x-permission'],
    pathParameters: within('path'),
    query: within('query'),
    headers: within('header'),
    bodies: Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => ({
      type,
      schema,
    })),
    answers: new Map(
      statuses.map(([status, { content = {} }]) => {
        const [type = '', documented] = Object.entries(content)[0] ?? [];
        return [Number(status), documented === undefined ? undefined : { type, schema: documented.schema }];
      }),
    ),
    answersFreely: 'default' in operation.responses,
  };
}

function resolveParameter(document: OpenApiDocument, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const found = document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) {
    throw new Error(`the document refers to ${parameter.$ref}, which it does not have`);
  }
  return found;
}
