import type { TSchema } from 'typebox';
import { blankIsNull, emptyIsNull, unwrittenIsNull } from '#http/schemas/emptyable.ts';

/** Takes what is empty out of a value, where the schema says that this is the same as what is not set. */
export type DropEmpties = (value: unknown) => void;

/** `null` stands for what is not set; in a patch, where null takes something away, its absence does. */
export type Unset = 'null' | 'absent';

type Node = {
  type?: string;
  enum?: readonly unknown[];
  required?: readonly string[];
  properties?: Record<string, TSchema>;
  additionalProperties?: unknown;
  items?: TSchema;
  anyOf?: readonly TSchema[];
  [emptyIsNull]?: boolean;
  [unwrittenIsNull]?: boolean;
  [blankIsNull]?: boolean;
};

/**
 * Undefined: nothing in the schema may be empty. In objects that refuse members they do not know, such a member
 * without a value is the same as none: models of later client libraries write all of their members.
 */
export function emptiesReader(schema: TSchema, unset: Unset): DropEmpties | undefined {
  const node = schema as Node;
  const { properties = {}, required = [], anyOf = [], items } = node;
  const steps = [
    ...anyOf.map((each) => emptiesReader(each, unset)),
    ...Object.entries(properties).map(([name, property]) =>
      memberReader({ name, property, isRequired: required.includes(name) }, unset),
    ),
    isClosed(node) ? dropUnknown(properties) : undefined,
    items === undefined ? undefined : itemsReader(items, unset),
  ].filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return (value) => {
    for (const step of steps) step(value);
  };
}

const isClosed = ({ additionalProperties }: Node): boolean => additionalProperties === false;

const dropUnknown =
  (properties: Record<string, TSchema>): DropEmpties =>
  (value) => {
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(properties, name) && isNothing(member)) Reflect.deleteProperty(value, name);
    }
  };

function itemsReader(items: TSchema, unset: Unset): DropEmpties | undefined {
  const inside = emptiesReader(items, unset);
  if (inside === undefined) return undefined;
  return (value) => {
    if (Array.isArray(value)) for (const item of value) inside(item);
  };
}

type Member = { name: string; property: TSchema; isRequired: boolean };

function memberReader({ name, property, isRequired }: Member, unset: Unset): DropEmpties | undefined {
  const node = property as Node;
  const inside = emptiesReader(property, unset);
  const isUnwritten = node[unwrittenIsNull] === true;
  const isBlank = node[blankIsNull] === true;
  const isMarked = node[emptyIsNull] === true || isUnwritten || isBlank;
  const dropsNull = unset === 'null' && !isRequired && isNeverNull(node);
  if (inside === undefined && !isMarked && !dropsNull) return undefined;
  const holdsNothing = (value: unknown): boolean =>
    isBlank
      ? value === ''
      : isEmpty(value) ||
        ((node.anyOf ?? []) as readonly Node[]).some((each) => isClosed(each) && isBare(value, each));
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return;
    const member = value[name];
    const isUnset = isMarked && holdsNothing(member) && !(isUnwritten && Array.isArray(member));
    if (dropsNull && member === null) Reflect.deleteProperty(value, name);
    else if (!isUnset) inside?.(member);
    else if (unset === 'null') value[name] = null;
    else Reflect.deleteProperty(value, name);
  };
}

/** Whether null is none of its values, so that it can only stand for what is not set. */
const isNeverNull = ({ type, enum: values }: Node): boolean =>
  (type !== undefined && type !== 'null') || (values !== undefined && !values.includes(null));

const isNothing = (value: unknown): boolean => value === null || isEmpty(value);

/** An object none of whose members has a value; an empty text is one where it must be given: code, left out by mistake. */
const isBare = (value: unknown, { required = [] }: Node): boolean =>
  isObject(value) &&
  Object.entries(value).every(
    ([name, member]) => isNothing(member) && !(member === '' && required.includes(name)),
  );

/** So is a list of nothing but what is empty, as tools write it for a block of which nothing is set. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((item) => item === null || isEmpty(item))
    : value === '' || (isObject(value) && Object.keys(value).length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
