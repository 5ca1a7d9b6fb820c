import type { TSchema } from 'typebox';
import { emptyIsNull } from '#http/schemas/emptyable.ts';

/** Puts null in place of what is empty inside of a value, where the schema says that this is the same. */
export type NullEmpties = (value: unknown) => void;

type Node = {
  properties?: Record<string, TSchema>;
  anyOf?: readonly TSchema[];
  [emptyIsNull]?: boolean;
};

/** Undefined: nothing in the schema may be empty. It looks at members of objects, not at items of lists. */
export function emptiesReader(schema: TSchema): NullEmpties | undefined {
  const { properties = {}, anyOf = [] } = schema as Node;
  const steps = [
    ...anyOf.map(emptiesReader),
    ...Object.entries(properties).map(([name, property]) => memberReader(name, property)),
  ].filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return (value) => {
    for (const step of steps) step(value);
  };
}

function memberReader(name: string, property: TSchema): NullEmpties | undefined {
  const inside = emptiesReader(property);
  const isMarked = (property as Node)[emptyIsNull] === true;
  if (inside === undefined && !isMarked) return undefined;
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return;
    if (isMarked && isEmpty(value[name])) value[name] = null;
    else inside?.(value[name]);
  };
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
