import {
  checkContainer,
  checkPermissions,
  checkPriorities,
  checkRulePermission,
} from '#commands/application/rules.ts';
import type { FaultList } from '#commands/attributes.ts';
import type { Condition, SessionRule } from '#domain/session/events.ts';

export type SessionRuleInput = Omit<SessionRule, 'description' | 'container' | 'conditions'> & {
  description?: string | null;
  container?: string | null;
  conditions?: readonly Condition[] | null;
};

export type SessionRightsInput = {
  permissions?: readonly string[] | null;
  rules?: readonly SessionRuleInput[] | null;
};

export type SessionRights = { permissions: string[]; rules: SessionRule[] };

/** Checks what a session is to be given, by itself. */
export function checkSessionRights(input: SessionRightsInput, faults: FaultList): SessionRights {
  const permissions = checkPermissions('private', input.permissions, faults);
  const rules = (input.rules ?? []).map((rule, index) => checkRule(rule, `rules[${index}]`, faults));
  checkPriorities(rules, faults);
  if (permissions.length === 0 && rules.length === 0) {
    faults.add('permissions', 'must not be empty when there are no rules');
  }
  return { permissions, rules };
}

function checkRule(rule: SessionRuleInput, path: string, faults: FaultList): SessionRule {
  const { container, conditions, priority, transform } = rule;
  const hasContainer = container !== null && container !== undefined;
  const hasConditions = conditions !== null && conditions !== undefined;
  if (hasContainer === hasConditions) {
    faults.add(`${path}.container`, 'must be given, or conditions instead: one of them');
  }
  rule.permissions.forEach((permission, position) => {
    checkRulePermission('private', permission, `${path}.permissions[${position}]`, faults);
  });
  return {
    description: rule.description ?? '',
    priority,
    ...(hasContainer ? { container: checkContainer(container, `${path}.container`, faults) } : {}),
    ...(hasConditions
      ? {
          conditions: conditions.map((condition, position) =>
            checkCondition(condition, `${path}.conditions[${position}].value`, faults),
          ),
        }
      : {}),
    transform,
    permissions: [...new Set(rule.permissions)],
  };
}

/** A container that is compared as a whole is a path; the beginning of one need not be. */
function checkCondition(condition: Condition, path: string, faults: FaultList): Condition {
  const { attribute, operator, value } = condition;
  if (attribute === 'id') return condition;
  if (operator === 'equals') return { ...condition, value: checkContainer(value, path, faults) };
  if (!value.startsWith('/')) faults.add(path, "must start with '/'");
  return { ...condition, value: value.toLowerCase() };
}
