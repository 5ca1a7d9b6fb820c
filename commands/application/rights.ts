import type { FaultList } from '#commands/attributes.ts';
import type { AccessRule } from '#access/accessRule.ts';
import { permissionFault } from '#access/permissions.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import { containerFault, normalizeContainer } from '#domain/container.ts';

export type AccessRuleInput = Omit<AccessRule, 'description'> & { description?: string | null };

export type RightsInput = {
  name: string;
  permissions?: readonly string[] | null;
  rules?: readonly AccessRuleInput[] | null;
};

export type CheckedRights = {
  name: string;
  permissions: string[];
  rules: AccessRule[];
  everyPermission: false;
};

/** Checks permissions and access rules against what the application's type may hold. */
export function checkRights(type: ApplicationType, input: RightsInput, faults: FaultList): CheckedRights {
  const permissions = [...new Set(input.permissions ?? [])];
  permissions.forEach((permission, index) => {
    const fault = permissionFault(permission, type);
    if (fault !== undefined) faults.add(`permissions[${index}]`, fault);
  });
  const rules = checkRules(type, input.rules ?? [], faults);
  if (permissions.length === 0 && rules.length === 0) {
    faults.add('permissions', 'must not be empty when there are no rules');
  }
  return { name: input.name, permissions, rules, everyPermission: false };
}

function checkRules(
  type: ApplicationType,
  rules: readonly AccessRuleInput[],
  faults: FaultList,
): AccessRule[] {
  if (type === 'management' && rules.length > 0) {
    faults.add(
      'rules',
      'must be empty: rules are about containers, which a management application does not touch',
    );
  }
  const priorities = new Set<number>();
  const checked = rules.map((rule, index) => {
    const path = `rules[${index}]`;
    const container = normalizeContainer(rule.container);
    const fault = containerFault(container);
    if (fault !== undefined) faults.add(`${path}.container`, fault);
    if (priorities.has(rule.priority)) faults.add(`${path}.priority`, 'must be unique among the rules');
    priorities.add(rule.priority);
    rule.permissions.forEach((permission, position) =>
      checkRulePermission(type, permission, `${path}.permissions[${position}]`, faults),
    );
    return {
      description: rule.description ?? '',
      priority: rule.priority,
      container,
      transform: rule.transform,
      permissions: [...new Set(rule.permissions)],
    };
  });
  return checked.sort((a, b) => a.priority - b.priority);
}

function checkRulePermission(
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
