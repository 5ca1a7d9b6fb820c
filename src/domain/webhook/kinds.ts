import type { DomainEvent } from '#domain/event.ts';
import { authorOf } from '#domain/event.ts';

type Data = Readonly<Record<string, unknown>>;
type Told = (event: DomainEvent) => object;

const dataOf = (event: DomainEvent): Data => event.data as Data;

/** Members of an event that may be told; absent ones stay absent. */
const picked = (data: Data, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));

const created = (event: DomainEvent) => ({
  ...(authorOf(event) === undefined ? {} : { created_by: authorOf(event) }),
  created_at: event.metadata.occurred_at,
});
const modified = (event: DomainEvent) => ({
  ...(authorOf(event) === undefined ? {} : { modified_by: authorOf(event) }),
  modified_at: event.metadata.occurred_at,
});
const untimed = (): object => ({});

/** A thing under its name, with these members of the event. */
const thing =
  (name: string, members: readonly string[], when: (event: DomainEvent) => object = untimed): Told =>
  (event) => ({ [name]: { ...picked(dataOf(event), members), ...when(event) } });

const tokenAttributes = [
  'metadata',
  'containers',
  'fingerprint_expression',
  'search_indexes',
  'expires_at',
] as const;

const invocation = (...members: readonly string[]): Told => {
  return (event) => {
    const { request_id, invocation_type, ...data } = dataOf(event);
    return {
      reactor: picked(data, ['id', 'name']),
      request: { id: request_id, invocation_type },
      ...picked(data, members),
    };
  };
};

const refund: Told = (event) => {
  const { id, refund_id, ...data } = dataOf(event);
  return { transaction: { id }, refund: { id: refund_id, ...picked(data, ['amount', 'error_code']) } };
};
const entered = thing('transaction', ['id', 'amount', 'authorized_amount', 'captured_amount', 'error_code']);

/** Transactions are told of each status that they enter, and connections of theirs. */
const payments: Readonly<Record<string, Told>> = {
  'connection.created': thing(
    'connection',
    ['id', 'connection_formula_id', 'display_name', 'active'],
    created,
  ),
  'connection.updated': thing('connection', ['id', 'display_name', 'active'], modified),
  'connection.available': thing('connection', ['id']),
  'connection.failed': thing('connection', ['id', 'error_code']),
  'connection.deleted': thing('connection', ['id']),
  'transaction.created': thing(
    'transaction',
    ['id', 'token_id', 'amount', 'currency', 'country', 'external_identifier', 'intent', 'metadata'],
    created,
  ),
  'transaction.authorization_pending': entered,
  'transaction.buyer_approval_pending': thing('transaction', ['id', 'approval_expires_at']),
  'transaction.authorization_succeeded': entered,
  'transaction.authorization_declined': entered,
  'transaction.authorization_failed': entered,
  'transaction.capture_pending': entered,
  'transaction.capture_succeeded': entered,
  'transaction.capture_failed': entered,
  'transaction.authorization_void_pending': entered,
  'transaction.authorization_voided': entered,
  'transaction.void_failed': entered,
  'transaction.capture_revoked': entered,
  'transaction.reversal_requested': entered,
  'transaction.reversal_pending': entered,
  'transaction.reversal_succeeded': entered,
  'transaction.reversal_failed': entered,
  'transaction.refund_pending': refund,
  'transaction.refund_succeeded': refund,
  'transaction.refund_declined': refund,
  'transaction.refund_failed': refund,
  'transaction.refund_voided': refund,
  '3ds.session.created': thing('session', ['id', 'token_id', 'expires_at']),
  '3ds.session.authenticated': thing('session', ['id']),
  '3ds.session.challenge-completed': thing('session', ['id']),
};

/** Source: reference of webhooks, events of jobs. */
const job =
  (status: string): Told =>
  (event) => ({ job: { id: dataOf(event)['id'], status } });

const person = (event: DomainEvent) => picked(dataOf(event), ['id', 'user_id', 'invitation_id', 'role']);

/**
 * What webhooks tell of each event, and by which name: those of the events themselves. Closed, member by member: what
 * is added to an event is not told before somebody says so. Source: reference of webhooks, list of kinds.
 */
const told: Readonly<Record<string, Told>> = {
  'tenant.created': thing('tenant', ['id', 'name'], created),
  'tenant.updated': thing('tenant', ['id', 'name', 'settings'], modified),
  'tenant.invitation.created': thing('invitation', ['id', 'role', 'expires_at'], created),
  'tenant.invitation.resent': thing('invitation', ['id', 'expires_at'], modified),
  'tenant.invitation.accepted': thing('invitation', ['id', 'member_id']),
  'tenant.invitation.deleted': thing('invitation', ['id']),
  'tenant.member.created': (event) => ({ member: { ...person(event), ...created(event) } }),
  'tenant.member.updated': (event) => ({ member: { ...person(event), ...modified(event) } }),
  'tenant.member.deleted': thing('member', ['id']),
  'application.created': thing('application', ['id', 'name', 'type', 'expires_at'], created),
  'application.updated': thing('application', ['id', 'name'], modified),
  'application.deleted': thing('application', ['id', 'reason']),
  'application.key.created': keyOfApplication,
  'application.key.deleted': keyOfApplication,
  'proxy.created': thing('proxy', ['id', 'name'], created),
  'proxy.updated': thing('proxy', ['id', 'name'], modified),
  'proxy.deleted': thing('proxy', ['id']),
  'reactor.created': thing('reactor', ['id', 'name'], created),
  'reactor.updated': thing('reactor', ['id', 'name'], modified),
  'reactor.deleted': thing('reactor', ['id']),
  'reactor.invoked': invocation(),
  'reactor.completed': invocation('elapsed_ms'),
  'reactor.failed': invocation('elapsed_ms', 'error'),
  'session.created': thing('session', ['id', 'application_id', 'expires_at']),
  'session.authorized': thing('session', ['id', 'application_id', 'expires_at']),
  'session.expired': thing('session', ['id']),
  'token.created': thing('token', ['id', 'type', ...tokenAttributes], created),
  'token.updated': thing('token', ['id', 'type', ...tokenAttributes, 'created_by', 'created_at'], modified),
  'token.deleted': thing('token', ['id']),
  'token.expired': thing('token', ['id']),
  'token.property.expired': (event) => {
    const { id, property_name } = dataOf(event);
    return { token: { id }, property_name };
  },
  ...payments,
  'account-updater.job.created': job('pending'),
  'account-updater.job.completed': job('completed'),
  'account-updater.job.failed': job('failed'),
  'webhook.created': thing('webhook', ['id', 'name', 'events'], created),
  'webhook.updated': thing('webhook', ['id', 'name', 'events', 'status'], modified),
  'webhook.disabled': thing('webhook', ['id', 'reason']),
  'webhook.deleted': thing('webhook', ['id']),
};

function keyOfApplication(event: DomainEvent): object {
  const { id, key_id } = dataOf(event);
  return { application: { id }, key: { id: key_id } };
}

/** Sent to the one webhook that it names, whatever that wants to hear. */
export const pingKind = 'webhook.pinged';

/** The kinds that a webhook may want. */
export const webhookKinds: readonly string[] = Object.keys(told).sort();

/** Events that no webhook is told of. */
export const internalTypes: readonly string[] = [
  // The keys of the tenant are gone: nothing can be signed any more.
  'tenant.deleted',
  'tenant.erased',
  // Rights as they were, under a signature.
  'tenant.signed',
  'application.signed',
  'session.signed',
  'proxy.signed',
  'reactor.signed',
  // Steps of a run, and of its callback, that its receiver sees.
  'reactor.started',
  'reactor.callback.deferred',
  'reactor.callback.delivered',
  'reactor.callback.failed',
  // What was kept of a deleted connection goes.
  'connection.forgotten',
  // Calls that are about to be made of a provider: what became of them is told.
  'transaction.authorization_requested',
  'transaction.capture_requested',
  'transaction.void_requested',
  'transaction.refund_requested',
  // Steps of a job, and the end of one that never began.
  'account-updater.job.uploaded',
  'account-updater.job.started',
  'account-updater.job.chunk.answered',
  'account-updater.job.chunk.completed',
  'account-updater.job.expired',
  // What is done about webhooks themselves.
  'webhook.secret.rotated',
  'webhook.delivery.retried',
  'webhook.replay.requested',
];

/** What `data` holds for an event; undefined: nobody is told. */
export function toldOf(event: DomainEvent): object | undefined {
  if (event.type === pingKind) return thing('webhook', ['id'])(event);
  return told[event.type]?.(event);
}
