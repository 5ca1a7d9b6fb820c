import fc from 'fast-check';
import type { OpenApiDocument, Schema } from '#test/fuzz/support/document.ts';
import { hole, meaningful, meaningfulObject, tokenTypes } from '#test/fuzz/support/values.ts';

/** Schemas that lead back to themselves end here. */
const deepest = 6;

/** Where a value stands: its member's name tells what it means, which its schema often does not. */
type Place = { name: string; depth: number };

/** Values that a schema of the document admits, most of them such that the service can do something with them. */
export class SchemaValues {
  readonly #document: OpenApiDocument;
  readonly #cache = new Map<string, fc.Arbitrary<unknown>>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  of(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const key = `${name} ${JSON.stringify(schema)}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const made = this.#at(schema, { name, depth: 0 });
    this.#cache.set(key, made);
    return made;
  }

  #at(schema: Schema, place: Place): fc.Arbitrary<unknown> {
    const plain = this.#bySchema(schema, place);
    const { arbitrary: meant, weight } = this.#meant(schema, place);
    return meant === undefined
      ? plain
      : fc.oneof({ arbitrary: meant, weight }, { arbitrary: plain, weight: 1 });
  }

  #meant(schema: Schema, { name }: Place): { arbitrary: fc.Arbitrary<unknown> | undefined; weight: number } {
    if (schema.examples !== undefined) {
      return { arbitrary: fc.constantFrom(...schema.examples), weight: 3 };
    }
    const open = schema.type === undefined && schema.anyOf === undefined && schema.$ref === undefined;
    const isText = schema.type === 'string' && schema.const === undefined && schema.enum === undefined;
    const isNumber = schema.type === 'number' || schema.type === 'integer';
    if (isText && /^type$/.test(name)) return { arbitrary: tokenTypes, weight: 6 };
    if (isText || isNumber || open) {
      const arbitrary = meaningful(name);
      if (arbitrary !== undefined) return { arbitrary, weight: 6 };
    }
    // Names of other things: `connection_id`, `token`. Its own `id` should mostly be new.
    if (isText && /(_id|Id|token|code|nonce|key)$/.test(name)) return { arbitrary: hole(name), weight: 6 };
    if (isText && name === 'id') return { arbitrary: hole(name), weight: 1 };
    return { arbitrary: undefined, weight: 0 };
  }

  #bySchema(schema: Schema, place: Place): fc.Arbitrary<unknown> {
    if (place.depth > deepest) return fc.constant(null);
    const below: Place = { ...place, depth: place.depth + 1 };
    if (schema.$ref !== undefined) return this.#at(this.#resolve(schema.$ref), below);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined) {
      return fc.oneof(...alternatives.map((alternative) => this.#at(alternative, below)));
    }
    if (Array.isArray(schema.type)) {
      return fc.oneof(...schema.type.map((type: string) => this.#at({ ...schema, type }, below)));
    }
    switch (schema.type) {
      case 'object':
        return this.#object(schema, below);
      case 'array':
        return this.#array(schema, below);
      case 'string':
        return text(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 100_000 });
      case 'number':
        return fc.oneof(
          fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 100_000 }),
          fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true }),
        );
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  #object(
    { properties = {}, required = [], additionalProperties }: Schema,
    place: Place,
  ): fc.Arbitrary<unknown> {
    const members = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#at(schema, { ...place, name })]),
    );
    const requiredKeys = Object.keys(members).filter((name) => required.includes(name));
    // Of many optional members one is mostly wrong as things are.
    const least = fc.record(
      Object.fromEntries(requiredKeys.map((name) => [name, members[name] ?? fc.constant(null)])),
    );
    const any = fc.oneof(least, fc.record(members, { requiredKeys }));
    const whole = meaningfulObject(Object.keys(properties));
    const declared =
      whole === undefined
        ? any
        : fc.oneof({ arbitrary: any, weight: 1 }, { arbitrary: combined(least, whole), weight: 3 });
    if (typeof additionalProperties !== 'object') return declared;
    const others = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z_]{0,12}$/),
      this.#at(additionalProperties, { ...place, name: '' }),
      { maxKeys: 3 },
    );
    return fc.tuple(others, declared).map(([some, more]) => ({ ...some, ...more }));
  }

  #array({ items = {}, minItems = 0, maxItems = 100 }: Schema, place: Place): fc.Arbitrary<unknown> {
    const maxLength = Math.min(maxItems, Math.max(minItems, 3));
    return fc.array(this.#at(items, place), { minLength: minItems, maxLength });
  }

  #resolve(reference: string): Schema {
    const schema = this.#document.components.schemas[reference.split('/').at(-1) ?? ''];
    if (schema === undefined) throw new Error(`the document refers to ${reference}, which it does not have`);
    return schema;
  }
}

const combined = (some: fc.Arbitrary<object>, more: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(some, more).map(([one, other]) => ({ ...one, ...other }));

function text({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.oneof(fc.uuid(), hole('id'));
  if (format === 'date-time') return fc.constantFrom('2030-01-02T03:04:05Z', '2020-12-31T23:59:59.999+14:00');
  if (format === 'email') return fc.constantFrom('ada@example.com', 'x@example.org');
  if (format === 'uri' || format === 'url') {
    return fc.constantFrom('https://nowhere.invalid/x', 'http://10.0.0.1/');
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    fc
      .stringMatching(/^[a-z][a-z ]{2,20}$/)
      .filter(({ length }) => length >= minLength && length <= maxLength),
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }),
  );
}
