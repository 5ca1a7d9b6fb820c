import Type from 'typebox';
import type { TSchema } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapOf } from '#http/schemas/map.ts';
import { noFaults } from '#http/validation/faults.ts';
import { compileValidator } from '#http/validation/validator.ts';

const test = suite('http: what validation says');

function faultsOf(schema: TSchema, value: unknown): object {
  const faults = noFaults();
  compileValidator(schema)(value, faults);
  return { ...faults };
}
const says = (schema: TSchema, value: unknown, ...messages: string[]): void => {
  assert.equal(
    faultsOf(Type.Object({ it: schema }), { it: value }),
    messages.length === 0 ? {} : { it: messages },
  );
};

test('given strings, then what would be right', () => {
  const name = Type.String({ minLength: 1, maxLength: 200 });
  says(name, 'x');
  says(name, 1, 'must be a string of 1 to 200 characters');
  says(name, '', 'must be a string of 1 to 200 characters');
  says(Type.String({ maxLength: 200 }), 'x'.repeat(201), 'must be a string of at most 200 characters');
  says(Type.String({ minLength: 2, maxLength: 2 }), 'x', 'must be a string of 2 characters');
  says(Type.String({ minLength: 1 }), '', 'must be a string that is not empty');
  says(Type.String({ format: 'uuid' }), 'x', 'must be a UUID');
  says(Type.String({ format: 'date-time' }), 'x', 'must be an ISO 8601 date and time with an offset');
  says(Type.String({ pattern: '^a$' }), 'b', 'must be a string that matches ^a$');
  const path = Type.String({ pattern: '^/', expected: 'a path such as /pci/high/' });
  says(path, 'pci', 'must be a path such as /pci/high/');
});

test('given characters outside the basic plane, then each counts once', () => {
  says(Type.String({ maxLength: 2 }), '😀😀');
});

test('given numbers, then what would be right', () => {
  says(Type.Integer({ minimum: 1 }), 0.5, 'must be a whole number of at least 1');
  says(Type.Integer({ minimum: 1, maximum: 12 }), '5', 'must be a whole number from 1 to 12');
  says(
    Type.Number({ exclusiveMinimum: 0, multipleOf: 2 }),
    -1,
    'must be a number above 0 and that is a multiple of 2',
  );
  says(Type.Number({ maximum: 3 }), 4, 'must be a number of at most 3');
});

test('given other kinds, then what would be right', () => {
  says(Type.Boolean(), 'yes', 'must be true or false');
  says(Type.Null(), 1, 'must be null');
  says(Type.Literal('card'), 'bank', 'must be "card"');
  says(Type.Enum(['a', 'b']), 'c', 'must be one of "a", "b"');
  says(Type.Array(Type.String(), { minItems: 1, maxItems: 3 }), [], 'must be an array of 1 to 3 items');
  says(Type.Array(Type.String(), { maxItems: 1 }), 'x', 'must be an array of at most 1 item');
  says(Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'must not hold the same item twice');
  says(Type.Object({}, { minProperties: 2 }), {}, 'must be an object of at least 2 properties');
  says(Type.Unsafe({ type: ['string', 'null'] }), 1, 'must be a string, or null');
});

test('given a union, then one message that names all that it takes', () => {
  const type = Type.Union([Type.Literal('public'), Type.Literal('private'), Type.Literal('management')]);
  says(type, 'root', 'must be one of "public", "private", "management"');
  says(
    Type.Union([Type.String({ maxLength: 3 }), Type.Null()]),
    'long',
    'must be a string of at most 3 characters, or null',
  );
  says(
    Type.Union([Type.Union([Type.Integer(), Type.String()]), Type.Null()]),
    true,
    'must be a whole number, or a string, or null',
  );
});

test('given a union of objects, when the value names its branch, then that branch explains', () => {
  const schema = Type.Union([
    Type.Object({ kind: Type.Literal('card'), number: Type.String() }),
    Type.Object({ kind: Type.Literal('bank'), account: Type.Object({ id: Type.Integer() }) }),
    Type.Null(),
  ]);
  assert.equal(faultsOf(schema, { kind: 'bank', account: { id: 'x' } }), {
    'account.id': ['must be a whole number'],
  });
  assert.equal(faultsOf(schema, { kind: 'card' }), { number: ['is required'] });
  assert.equal(faultsOf(schema, { kind: 'other' }), { body: ['must be an object, or null'] });
  assert.equal(faultsOf(schema, 1), { body: ['must be an object, or null'] });
});

test('given an optional object or null, then its own faults are named', () => {
  const schema = Type.Object({
    rules: Type.Array(Type.Union([Type.Object({ permissions: Type.Array(Type.String()) }), Type.Null()])),
  });
  assert.equal(faultsOf(schema, { rules: [{ permissions: 1 }, null, { permissions: ['a', 2] }, {}] }), {
    'rules[0].permissions': ['must be an array'],
    'rules[2].permissions[1]': ['must be a string'],
    'rules[3].permissions': ['is required'],
  });
});

test('given several faults, then each has its path', () => {
  const schema = Type.Object({
    data: Type.Object({ routing_number: Type.String(), 'a/b~c': Type.Integer() }),
    rules: Type.Array(Type.Object({ permissions: Type.Array(Type.String(), { minItems: 1 }) })),
  });
  const value = { data: { 'a/b~c': 'x' }, rules: [{ permissions: [] }, {}] };
  assert.equal(faultsOf(schema, value), {
    'data.routing_number': ['is required'],
    'data.a/b~c': ['must be a whole number'],
    'rules[0].permissions': ['must be an array of at least 1 item'],
    'rules[1].permissions': ['is required'],
  });
});

test('given properties that a closed object does not know, then each is named', () => {
  const closed = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false });
  assert.equal(faultsOf(closed, { b: 1, c: 2, a: 3 }), {
    a: ['must be a string'],
    b: ['is not a property that is known here'],
    c: ['is not a property that is known here'],
  });
});

test('given a map, then names with line breaks are looked at', () => {
  assert.equal(faultsOf(mapOf(Type.String()), { 'a\nb': 1 }), { 'a\nb': ['must be a string'] });
  assert.throws(() => compileValidator(Type.Record(Type.String(), Type.String())), /use mapOf/);
});

test('given a refinement, then its own message', () => {
  const even = Type.Refine(
    Type.Integer(),
    (value) => value % 2 === 0,
    () => 'must be even',
  );
  says(even, 3, 'must be even');
});

test.run();
