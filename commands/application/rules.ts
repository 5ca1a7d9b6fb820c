import type { FaultList } from '#commands/attributes.ts';
import { permissionFault } from '#access/permissions.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import { containerFault, normalizeContainer } from '#domain/container.ts';

/** Plain permissions without repetitions. */
export function checkPermissions(
  type: ApplicationType,
  given: readonly string[] | null | undefined,
  faults: FaultList,
): string[] {
  const permissions = [...new Set(given ?? [])];
  permissions.forEach((permission, index) => {
    const fault = permissionFault(permission, type);
    if (fault !== undefined) faults.add(`permissions[${index}]`, fault);
  });
  return permissions;
}

/** A normalised container path. */
export function checkContainer(given: string, path: string, faults: FaultList): string {
  const container = normalizeContainer(given);
  const fault = containerFault(container);
  if (fault !== undefined) faults.add(path, fault);
  return container;
}

export function checkPriorities(rules: readonly { priority: number }[], faults: FaultList): void {
  const seen = new Set<number>();
  rules.forEach(({ priority }, index) => {
    if (seen.has(priority)) faults.add(`rules[${index}].priority`, 'must be unique among the rules');
    seen.add(priority);
  });
}

export function checkRulePermission(
  type: ApplicationType,
  permission: string,
  path: string,
  faults: FaultList,
): void {
  const fault = permissionFault(permission, type);
  if (fault !== undefined) faults.add(path, fault);
  else if (!permission.startsWith('token:')) {
    faults.add(path, 'must be a permission on tokens: rules are about containers');
  }
}
