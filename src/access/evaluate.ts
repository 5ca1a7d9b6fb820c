import { lesser } from '#access/accessRule.ts';
import type { AccessRule, Condition, Transform } from '#access/accessRule.ts';
import type { ApplicationType } from '#domain/application/events.ts';

/** What the rights of a caller are made of. */
export type Rights = {
  permissions: readonly string[];
  /** By ascending priority. */
  rules: readonly AccessRule[];
  /** Of a session: the rights of the application that vouches for it, beyond which it never goes. */
  within?: Rights | undefined;
  /** Of who holds a key; absent where no request asked. */
  type?: ApplicationType | 'session';
  /** Whether fingerprints, and tokens found by them, may be told to who could guess with them. */
  publicFingerprints?: boolean;
};

/** What access is asked for: a token, or one that is to be. */
export type Target = {
  /** Undefined: it has none yet. */
  id?: string | undefined;
  containers: readonly string[];
};

/** How data is shown under a plain permission: use reveals, everything else masks. */
export const implicitTransform = (permission: string): Transform =>
  permission === 'token:use' ? 'reveal' : 'mask';

/** Whether a caller has a permission for anything at all. */
export function mayAnywhere(rights: Rights, permission: string): boolean {
  const may =
    rights.permissions.includes(permission) ||
    rights.rules.some((rule) => rule.permissions.includes(permission));
  if (!may || rights.within === undefined) return may;
  if (mayAnywhere(rights.within, permission)) return true;
  return rights.rules.some((rule) => lends(rule, permission)) && mayAnywhere(rights.within, 'token:read');
}

/**
 * The transform under which a caller may touch a token, or undefined when it may not. Rules come first, by
 * ascending priority: the first that grants the permission and covers the token decides; then a plain permission.
 * Source: reference of access controls, worked example "control data access".
 */
export function transformFor(rights: Rights, permission: string, target: Target): Transform | undefined {
  const rule = rights.rules.find((one) => one.permissions.includes(permission) && covers(one, target));
  const plain = rights.permissions.includes(permission) ? implicitTransform(permission) : undefined;
  const own = rule?.transform ?? plain;
  if (own === undefined || rights.within === undefined) return own;
  // Of the one token that such a rule names, the application need only be shown something itself.
  if (rule !== undefined && lends(rule, permission)) {
    if (transformFor(rights.within, 'token:read', target) !== undefined) return own;
  }
  const lent = transformFor(rights.within, permission, target);
  return lent && lesser(own, lent);
}

/** Whether a rule of a session gives a permission beyond what the application holds that vouches for it. */
const lends = (rule: AccessRule, permission: string): boolean =>
  'lends' in rule && rule.lends?.includes(permission) === true;

/**
 * The transform under which a caller is answered a token that it has written: after an update it is never shown more
 * than it may read.
 */
export function transformOfWritten(
  rights: Rights,
  permission: 'token:create' | 'token:update',
  target: Target,
): Transform | undefined {
  const written = transformFor(rights, permission, target);
  if (permission === 'token:create' || written === undefined) return written;
  return lesser(written, transformFor(rights, 'token:read', target) ?? 'redact');
}

/**
 * Whether a caller may see all of a token's data by reading it, so that it may also decide what others see. Who was only
 * lent that for minutes may not: a mask stays.
 */
export const mayReveal = (rights: Rights, target: Target): boolean =>
  transformFor(rights, 'token:read', target) === 'reveal' &&
  (rights.within === undefined || mayReveal(rights.within, target));

/** Whether some rule may show tokens without data under a permission. */
export const redactsAny = ({ rules, within }: Rights, permission: string): boolean =>
  rules.some((rule) => rule.transform === 'redact' && rule.permissions.includes(permission)) ||
  (within !== undefined && redactsAny(within, permission));

/** The containers of a token in which a caller lacks a permission. */
export function containersDenied(rights: Rights, permission: string, { id, containers }: Target): string[] {
  return containers.filter(
    (container) => transformFor(rights, permission, { id, containers: [container] }) === undefined,
  );
}

/** Conditions that must all hold. */
export type Grant = readonly Condition[];

/**
 * What a caller has a permission for: a token must meet one grant of each list. No list: it has it everywhere.
 */
export function grantsOf(rights: Rights, permission: string): (readonly Grant[])[] {
  const lent = rights.within === undefined ? [] : grantsOf(rights.within, permission);
  if (rights.permissions.includes(permission)) return lent;
  const own = rights.rules.filter((rule) => rule.permissions.includes(permission)).map(conditionsOf);
  return own.some((grant) => grant.length === 0) ? lent : [own, ...lent];
}

/** A container is a condition too, and the root is none. */
function conditionsOf(rule: AccessRule): Grant {
  if (rule.container === undefined) return ('conditions' in rule ? rule.conditions : undefined) ?? [];
  if (rule.container === '/') return [];
  return [{ attribute: 'container', operator: 'starts_with', value: rule.container }];
}

function covers(rule: AccessRule, target: Target): boolean {
  return conditionsOf(rule).every(({ attribute, operator, value }) => {
    const values = attribute === 'container' ? target.containers : [target.id ?? ''];
    return values.some((one) => (operator === 'equals' ? one === value : one.startsWith(value)));
  });
}
