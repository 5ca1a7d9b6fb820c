import type { AuditEntry } from '#ports/audit.ts';

/** What audit entries speak of, and what people call it. Names are storage format: they never change. */
export const entityTypes = {
  token: 'Token',
  application: 'Application',
  application_key: 'Application key',
  session: 'Session',
  reactor: 'Reactor',
  proxy: 'Proxy',
  connection: 'Connection',
  transaction: 'Transaction',
  '3ds_session': '3-D Secure session',
  account_updater_job: 'Account updater job',
  tenant: 'Tenant',
  tenant_member: 'Tenant member',
  tenant_invitation: 'Tenant invitation',
  report: 'Report',
  log: 'Log',
  key: 'Key of the vault',
  webhook: 'Webhook',
  backup: 'Backup',
} as const;

export type EntityType = keyof typeof entityTypes;

/** What requests do to an entity; events add what happens to it by itself. */
export type Operation =
  | 'read'
  | 'create'
  | 'update'
  | 'delete'
  | 'authorize'
  | 'regenerate'
  | 'resend'
  | 'capture'
  | 'void'
  | 'refund'
  | 'authenticate'
  /** Of a reactor or proxy, and of the tokens that its code or destination was given. */
  | 'invoke'
  | 'use'
  /** Of the secret of a webhook. */
  | 'rotate'
  | 'ping'
  | 'replay'
  /** Of a delivery. */
  | 'retry';

const verbs: Readonly<Record<string, string>> = {
  created: 'create',
  updated: 'update',
  deleted: 'delete',
  forgotten: 'forget',
  expired: 'expire',
  authorized: 'authorize',
  authenticated: 'authenticate',
  'challenge-completed': 'complete_challenge',
  accepted: 'accept',
  resent: 'resend',
  invoked: 'invoke',
  started: 'start',
  completed: 'complete',
  failed: 'fail',
  deferred: 'defer',
  delivered: 'deliver',
  rotated: 'rotate',
  disabled: 'disable',
  pinged: 'ping',
  requested: 'replay',
  retried: 'retry',
  uploaded: 'upload',
  answered: 'answer',
  signed: 'sign',
};

/** These are no things of their own: they are looked for at their token, reactor, webhook or job. */
const parts = new Set(['property', 'callback', 'secret', 'replay', 'delivery', 'chunk']);

/** What an event did to what: `application.key.created` is a `create` of an `application_key`. */
export function actOf(eventType: string): { entityType: string; operation: string } {
  const words = eventType.split('.');
  const past = words.pop() ?? '';
  const entityType = words.filter((word) => !parts.has(word)).join('_');
  return { entityType: entityType.replaceAll('-', '_'), operation: verbs[past] ?? past };
}

/** One sentence on an entry, for people. */
export function messageOf(
  entry: Pick<AuditEntry, 'operation' | 'entityType' | 'outcome' | 'detail'> & { isEvent: boolean },
): string {
  const { entityType, operation, outcome, detail } = entry;
  const name =
    (entityTypes as Record<string, string>)[entityType] ??
    (entityType === '' ? 'Request' : sentence(entityType));
  if (outcome === 'refused') return `${name} ${operation} refused`;
  if (entry.isEvent) return sentence(detail);
  return operation === 'read' ? `${name} retrieved` : `${name} ${operation}`;
}

const sentence = (words: string): string => {
  const text = words.replace(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
