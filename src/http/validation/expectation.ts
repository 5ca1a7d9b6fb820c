/** The JSON Schema keywords that the sentences below look at. */
export type SchemaNode = {
  /** In words, for what a schema cannot say well (a pattern): `a path such as /pci/high/`. */
  expected?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  format?: string;
  pattern?: string | RegExp;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  additionalProperties?: unknown;
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'an ISO 8601 date and time with an offset',
  date: 'an ISO 8601 date',
  uri: 'a URI',
  url: 'a URL',
  email: 'an email address',
};

/** What a schema wants, as the end of a sentence that starts with "must be". */
export function expectation(schema: SchemaNode): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return union(alternatives);
  if (Array.isArray(schema.type)) {
    return either(schema.type.map((type: string) => ofType(type, schema)));
  }
  return ofType(typeof schema.type === 'string' ? schema.type : '', schema);
}

function ofType(type: string, schema: SchemaNode): string {
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `an array${counted(' of ', schema.minItems, schema.maxItems, 'item')}`;
    case 'object':
      return `an object${counted(' of ', schema.minProperties, schema.maxProperties, 'property')}`;
    default:
      return 'a valid value';
  }
}

function text(schema: SchemaNode): string {
  const form = schema.format === undefined ? undefined : (formats[schema.format] ?? `a ${schema.format}`);
  if (form !== undefined) return form;
  if (schema.pattern !== undefined) return `a string that matches ${String(schema.pattern)}`;
  if (schema.minLength === 1 && schema.maxLength === undefined) return 'a string that is not empty';
  return `a string${counted(' of ', schema.minLength, schema.maxLength, 'character')}`;
}

function counted(
  join: string,
  minimum: number | undefined,
  maximum: number | undefined,
  noun: string,
): string {
  const nouns = (count: number): string =>
    count === 1 ? `1 ${noun}` : `${count} ${noun.replace(/y$/, 'ie')}s`;
  if (minimum !== undefined && maximum !== undefined) {
    return minimum === maximum ? `${join}${nouns(minimum)}` : `${join}${minimum} to ${nouns(maximum)}`;
  }
  if (minimum !== undefined) return `${join}at least ${nouns(minimum)}`;
  if (maximum !== undefined) return `${join}at most ${nouns(maximum)}`;
  return '';
}

function range(schema: SchemaNode): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const limits = [
    minimum !== undefined && maximum !== undefined ? `from ${minimum} to ${maximum}` : undefined,
    minimum !== undefined && maximum === undefined ? `of at least ${minimum}` : undefined,
    maximum !== undefined && minimum === undefined ? `of at most ${maximum}` : undefined,
    exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? undefined : `below ${exclusiveMaximum}`,
    multipleOf === undefined ? undefined : `that is a multiple of ${multipleOf}`,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? '' : ` ${limits.join(' and ')}`;
}

function union(alternatives: readonly SchemaNode[]): string {
  const constants = alternatives.filter((alternative) => alternative.const !== undefined);
  const others = alternatives.filter((alternative) => alternative.const === undefined);
  const names = constants.map((alternative) => alternative.const);
  return either([
    ...(names.length === 0 ? [] : [oneOf(names)]),
    ...others.map((alternative) => expectation(alternative)),
  ]);
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1
    ? JSON.stringify(values[0])
    : `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;

const either = (phrases: readonly string[]): string => [...new Set(phrases)].join(', or ');
