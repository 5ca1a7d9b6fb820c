/** Any node of a JSON Schema or of an OpenAPI document. */
export type DocumentNode = Record<string, unknown>;

/** Keywords whose value is data, not a schema. */
const literals = new Set(['const', 'default', 'enum', 'examples', 'required']);
/** Keywords whose value is a map of schemas. */
const named = new Set(['properties', 'patternProperties']);

/** Collects schemas that have an `$id`, each once, and refers to them. */
export class Components {
  readonly schemas: DocumentNode = {};

  /** A schema for the document: named parts replaced by references, our own annotations left out. */
  refer(schema: object): DocumentNode {
    const { $id: name, ...rest } = { $id: undefined, ...schema };
    if (typeof name !== 'string') return this.#copy(rest);
    this.schemas[name] ??= this.#copy(rest);
    return { $ref: `#/components/schemas/${name}` };
  }

  #copy(node: object): DocumentNode {
    const entries = Object.entries(node)
      .filter(([keyword]) => keyword !== 'expected')
      .map(([keyword, value]): [string, unknown] => [keyword, this.#value(keyword, value)]);
    return Object.fromEntries(entries);
  }

  #value(keyword: string, value: unknown): unknown {
    if (value instanceof RegExp) return value.source;
    if (typeof value !== 'object' || value === null || literals.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#value('', item));
    return named.has(keyword) ? this.#members(value) : this.refer(value);
  }

  #members(schemas: object): DocumentNode {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#value('', schema)]),
    );
  }
}
