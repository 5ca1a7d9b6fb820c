import { checkOrigins } from '#commands/application/origins.ts';
import {
  checkContainer,
  checkPermissions,
  checkPriorities,
  checkRulePermission,
} from '#commands/application/rules.ts';
import type { FaultList } from '#commands/attributes.ts';
import type { AccessRule, ApplicationType } from '#domain/application/events.ts';

export type AccessRuleInput = Omit<AccessRule, 'description'> & {
  description?: string | null;
  /** Refused: sessions only. */
  conditions?: unknown;
};

export type RightsInput = {
  name: string;
  permissions?: readonly string[] | null;
  rules?: readonly AccessRuleInput[] | null;
  public_fingerprints?: boolean | null;
  origins?: readonly string[] | null;
};

export type CheckedRights = {
  name: string;
  permissions: string[];
  rules: AccessRule[];
  everyPermission: false;
  publicFingerprints: boolean;
  origins: string[];
};

/** Checks permissions and access rules against what the application's type may hold. */
export function checkRights(type: ApplicationType, input: RightsInput, faults: FaultList): CheckedRights {
  const permissions = checkPermissions(type, input.permissions, faults);
  const rules = checkRules(type, input.rules ?? [], faults);
  if (permissions.length === 0 && rules.length === 0) {
    faults.add('permissions', 'must not be empty when there are no rules');
  }
  const publicFingerprints = input.public_fingerprints ?? false;
  const origins = checkOrigins(type, input.origins, faults);
  return { name: input.name, permissions, rules, everyPermission: false, publicFingerprints, origins };
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
  checkPriorities(rules, faults);
  return rules
    .map((rule, index) => {
      const path = `rules[${index}]`;
      if (isGiven(rule.conditions)) {
        faults.add(`${path}.conditions`, 'may only be given for sessions: an application has containers');
      }
      rule.permissions.forEach((permission, position) => {
        checkRulePermission(type, permission, `${path}.permissions[${position}]`, faults);
      });
      return {
        description: rule.description ?? '',
        priority: rule.priority,
        container: checkContainer(rule.container, `${path}.container`, faults),
        transform: rule.transform,
        permissions: [...new Set(rule.permissions)],
      };
    })
    .sort((a, b) => a.priority - b.priority);
}

/** Client libraries may send an empty list where there is nothing to say. */
const isGiven = (conditions: unknown): boolean =>
  conditions !== undefined && conditions !== null && !(Array.isArray(conditions) && conditions.length === 0);
