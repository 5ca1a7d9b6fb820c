import type { ApplicationType } from '#domain/application/events.ts';

export type Permission = {
  type: string;
  description: string;
  applicationTypes: readonly ApplicationType[];
};

const held = (applicationTypes: readonly ApplicationType[], list: Record<string, string>): Permission[] =>
  Object.entries(list).map(([type, description]) => ({ type, description, applicationTypes }));

/** The one table that says which application types may hold which permission. */
export const permissions: readonly Permission[] = [
  ...held(['public', 'private'], {
    'token:create': 'Create tokens',
    'token:update': 'Update tokens',
  }),
  ...held(['private'], {
    'token:read': 'Read tokens',
    'token:search': 'Search tokens',
    'token:delete': 'Delete tokens',
    'token:use': 'Use tokens in reactors, proxies and transactions',
    'orchestration:transaction:capture': 'Capture transactions',
    '3ds:session:read': 'Read 3-D Secure sessions and the results of challenges',
    '3ds:session:authenticate': 'Authenticate 3-D Secure sessions',
    'account-updater:job:create': 'Create account updater jobs',
    'account-updater:job:read': 'Read account updater jobs',
    'account-updater:real-time:invoke': 'Ask card networks about one card at once',
  }),
  ...held(['private', 'management'], {
    'orchestration:connection_formulas': 'List connection formulas',
    'orchestration:connections:create': 'Create connections to payment providers',
    'orchestration:connections:update': 'List and update connections',
    'orchestration:connections:delete': 'Delete connections',
  }),
  ...held(['management'], {
    'application:create': 'Create applications and their keys',
    'application:read': 'Read applications',
    'application:update': 'Update applications',
    'application:delete': 'Delete applications and their keys',
    'reactor:create': 'Create reactors',
    'reactor:read': 'Read reactors',
    'reactor:update': 'Update reactors',
    'reactor:delete': 'Delete reactors',
    'proxy:create': 'Create proxies',
    'proxy:read': 'Read proxies',
    'proxy:update': 'Update proxies',
    'proxy:delete': 'Delete proxies',
    'tenant:read': 'Read the tenant',
    'tenant:update': 'Update the tenant',
    'tenant:delete': 'Delete the tenant',
    'tenant:member:read': 'Read members of the tenant',
    'tenant:member:update': 'Update members of the tenant',
    'tenant:member:delete': 'Remove members from the tenant',
    'tenant:invitation:create': 'Invite members to the tenant',
    'tenant:invitation:read': 'Read invitations',
    'tenant:invitation:update': 'Resend invitations',
    'tenant:invitation:delete': 'Revoke invitations',
    'webhook:create': 'Create webhooks',
    'webhook:read': 'Read webhooks and their deliveries',
    'webhook:update': 'Update webhooks, and have deliveries sent again',
    'webhook:delete': 'Delete webhooks',
    'log:read': 'Read the audit log, and what reactors printed',
    'report:read': 'Read usage reports',
  }),
];

const byType = new Map(
  permissions.flatMap((permission) =>
    [permission.type, otherNameOf(permission.type)]
      .filter((type) => type !== undefined)
      .map((type) => [type, permission]),
  ),
);

/** Why an application of this type may not hold a permission, or undefined when it may. */
export function permissionFault(permission: string, applicationType: ApplicationType): string | undefined {
  const known = byType.get(permission);
  if (known === undefined) return `'${permission}' is not a permission`;
  if (known.applicationTypes.includes(applicationType)) return undefined;
  const holders = known.applicationTypes.join(' or ');
  return `'${permission}' may only be held by a ${holders} application`;
}

/** Everything an application of this type may hold. */
export function permissionsOf(applicationType: ApplicationType): string[] {
  return permissions
    .filter((permission) => permission.applicationTypes.includes(applicationType))
    .map((permission) => permission.type);
}

/** The other name that a permission is known by: references write those of webhooks in both numbers. */
export function otherNameOf(permission: string): string | undefined {
  return permission.startsWith('webhook:') ? permission.replace('webhook:', 'webhooks:') : undefined;
}
