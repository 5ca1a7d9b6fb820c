import type { TSchema } from 'typebox';
import { emptyIsNull } from '#http/schemas/emptyable.ts';

/** Takes what is empty out of a value, where the schema says that this is the same as what is not set. */
export type DropEmpties = (value: unknown) => void;

/** `null` stands for what is not set; in a patch, where null takes something away, its absence does. */
export type Unset = 'null' | 'absent';

type Node = {
  properties?: Record<string, TSchema>;
  anyOf?: readonly TSchema[];
  [emptyIsNull]?: boolean;
};

/** Undefined: nothing in the schema may be empty. It looks at members of objects, not at items of lists. */
export function emptiesReader(schema: TSchema, unset: Unset): DropEmpties | undefined {
  const { properties = {}, anyOf = [] } = schema as Node;
  const steps = [
    ...anyOf.map((each) => emptiesReader(each, unset)),
    ...Object.entries(properties).map(([name, property]) => memberReader(name, property, unset)),
  ].filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return (value) => {
    for (const step of steps) step(value);
  };
}

function memberReader(name: string, property: TSchema, unset: Unset): DropEmpties | undefined {
  const inside = emptiesReader(property, unset);
  const isMarked = (property as Node)[emptyIsNull] === true;
  if (inside === undefined && !isMarked) return undefined;
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return;
    if (!isMarked || !isEmpty(value[name])) inside?.(value[name]);
    else if (unset === 'null') value[name] = null;
    else Reflect.deleteProperty(value, name);
  };
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
