import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { expectation } from '#http/validation/expectation.ts';
import type { SchemaNode } from '#http/validation/expectation.ts';
import { addFault, displayed, faultLimit, memberPath } from '#http/validation/faults.ts';
import { segments, valueAt } from '#http/validation/pointer.ts';
import { withoutBranches } from '#http/validation/unions.ts';
import type { Faults } from '#src/errors.ts';

// The library stops at eight.
Settings.Set({ maxErrors: faultLimit });

/** The pattern by which the library says "any name", and which a line break escapes. */
const anyName = JSON.stringify('^.*$');

/** Where a name is wrong rather than a value; a property may well be called so, too. */
const ofName = /(?<!\/properties)\/propertyNames$/;

/** Adds what is wrong with a value; adds nothing when it is as the schema wants it. */
export type Validate = (value: unknown, faults: Faults) => void;

/** Compiles a schema once; a valid value then costs no more than the generated check. */
export function compileValidator(schema: TSchema): Validate {
  if (JSON.stringify(schema).includes(anyName)) {
    throw new Error('a record by pattern does not look at names that hold a line break: use mapOf');
  }
  const validator = Compile(schema);
  return (value, faults) => {
    if (validator.Check(value)) return;
    for (const error of withoutBranches(validator.Errors(value), value)) {
      // About a name, but at the path of its value: the error of the whole object says it better.
      if (ofName.test(error.schemaPath)) continue;
      explain(error, schema, value, faults);
    }
  };
}

function explain(error: TLocalizedValidationError, schema: TSchema, value: unknown, faults: Faults): void {
  const path = dottedPath(error.instancePath, value);
  switch (error.keyword) {
    case 'required':
      for (const name of error.params.requiredProperties) {
        addFault(faults, memberPath(path, name), 'is required');
      }
      return;
    case 'additionalProperties':
      // With a schema for them, each has an error of its own.
      if (nodeAt(schema, error.schemaPath).additionalProperties !== false) return;
      for (const name of error.params.additionalProperties) {
        addFault(faults, memberPath(path, name), 'is not a property that is known here');
      }
      return;
    case 'boolean':
      // The schema `false` of a property that may not be: its object's error names it.
      return;
    case 'uniqueItems':
      addFault(faults, displayed(path), 'must not hold the same item twice');
      return;
    case 'propertyNames':
      addFault(faults, displayed(path), `must name its properties by ${expectation(namesOf(schema, error))}`);
      return;
    case '~refine':
      addFault(faults, displayed(path), error.params.message);
      return;
    default:
      addFault(faults, displayed(path), `must be ${expectation(nodeAt(schema, error.schemaPath))}`);
  }
}

const namesOf = (schema: TSchema, error: TLocalizedValidationError): SchemaNode =>
  nodeAt(schema, `${error.schemaPath}/propertyNames`);

/** `/rules/0/permissions` is `rules[0].permissions` when `rules` is an array. */
function dottedPath(pointer: string, value: unknown): string {
  let at = value;
  let path = '';
  for (const segment of segments(pointer)) {
    path = memberPath(path, Array.isArray(at) ? Number(segment) : segment);
    at = typeof at === 'object' && at !== null ? Reflect.get(at, segment) : undefined;
  }
  return path;
}

function nodeAt(schema: TSchema, pointer: string): SchemaNode {
  const node = valueAt(schema, pointer);
  return typeof node === 'object' && node !== null ? node : {};
}
