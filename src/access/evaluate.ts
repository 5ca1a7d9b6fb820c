import type { AccessRule, Transform } from '#access/accessRule.ts';

/** What the rights of a caller are made of. */
export type Rights = { permissions: readonly string[]; rules: readonly AccessRule[] };

/** How data is shown under a plain permission: use reveals, everything else masks. */
const implicitTransform = (permission: string): Transform => (permission === 'token:use' ? 'reveal' : 'mask');

/** Whether a caller has a permission for anything at all. */
export function mayAnywhere(rights: Rights, permission: string): boolean {
  return (
    rights.permissions.includes(permission) ||
    rights.rules.some((rule) => rule.permissions.includes(permission))
  );
}

/**
 * The transform under which a caller may touch something in one of these containers, or undefined when it may
 * not. Rules come first, by ascending priority: the first that grants the permission and covers a container
 * decides; then a plain permission.
 * Source: reference of access controls, worked example "control data access".
 */
export function transformFor(
  rights: Rights,
  permission: string,
  containers: readonly string[],
): Transform | undefined {
  for (const rule of rights.rules) {
    if (rule.permissions.includes(permission) && containers.some((container) => covers(rule, container))) {
      return rule.transform;
    }
  }
  return rights.permissions.includes(permission) ? implicitTransform(permission) : undefined;
}

/** Whether a caller has a permission in every one of these containers. */
export function mayInAll(rights: Rights, permission: string, containers: readonly string[]): boolean {
  return containers.every((container) => transformFor(rights, permission, [container]) !== undefined);
}

/**
 * The container paths below which a caller has a permission; undefined when it has it everywhere.
 */
export function containersGranted(rights: Rights, permission: string): string[] | undefined {
  if (rights.permissions.includes(permission)) return undefined;
  const containers = rights.rules
    .filter((rule) => rule.permissions.includes(permission))
    .map((rule) => rule.container);
  return containers.includes('/') ? undefined : containers;
}

const covers = (rule: AccessRule, container: string): boolean => container.startsWith(rule.container);
