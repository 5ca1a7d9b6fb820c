import type { TSchema } from 'typebox';
import * as job from '#domain/accountUpdater/events.ts';
import * as application from '#domain/application/events.ts';
import * as connection from '#domain/connection/events.ts';
import * as session from '#domain/session/events.ts';
import * as invocation from '#domain/invocation/events.ts';
import * as invitation from '#domain/invitation/events.ts';
import * as member from '#domain/member/events.ts';
import * as proxy from '#domain/proxy/events.ts';
import * as reactor from '#domain/reactor/events.ts';
import * as tenant from '#domain/tenant/events.ts';
import * as threeDs from '#domain/threeDs/events.ts';
import * as token from '#domain/token/events.ts';
import * as transaction from '#domain/transaction/events.ts';
import * as webhook from '#domain/webhook/events.ts';

/** Lifts an event's data from one schema version to the next. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

export type EventKind = {
  /** The data's shape in its newest version. */
  schema: TSchema;
  /** `upcasters[0]` lifts version 1 to 2, and so on: the newest version is one more than their number. */
  upcasters: readonly Upcaster[];
};

const kind = (schema: TSchema, ...upcasters: Upcaster[]): EventKind => ({ schema, upcasters });

/** Every type of event there is. A name is storage format: it never changes. */
export const eventCatalog: Readonly<Record<string, EventKind>> = {
  'account-updater.job.created': kind(job.JobCreated),
  'account-updater.job.uploaded': kind(job.JobUploaded),
  'account-updater.job.started': kind(job.JobStarted),
  'account-updater.job.chunk.answered': kind(job.JobChunkAnswered),
  'account-updater.job.chunk.completed': kind(job.JobChunkCompleted),
  'account-updater.job.completed': kind(job.JobCompleted),
  'account-updater.job.failed': kind(job.JobFailed),
  'account-updater.job.expired': kind(job.JobExpired),
  'tenant.created': kind(tenant.TenantCreated),
  'tenant.updated': kind(tenant.TenantUpdated),
  'tenant.deleted': kind(tenant.TenantDeleted),
  'tenant.erased': kind(tenant.TenantErased),
  'tenant.signed': kind(tenant.TenantSigned),
  'tenant.invitation.created': kind(invitation.InvitationCreated),
  'tenant.invitation.resent': kind(invitation.InvitationResent),
  'tenant.invitation.accepted': kind(invitation.InvitationAccepted),
  'tenant.invitation.deleted': kind(invitation.InvitationDeleted),
  'tenant.member.created': kind(member.MemberCreated),
  'tenant.member.updated': kind(member.MemberUpdated),
  'tenant.member.deleted': kind(member.MemberDeleted),
  'application.created': kind(application.ApplicationCreated, application.withEveryRight),
  'application.updated': kind(application.ApplicationUpdated, application.withEveryRight),
  'application.deleted': kind(application.ApplicationDeleted),
  'application.key.created': kind(application.ApplicationKeyCreated),
  'application.key.deleted': kind(application.ApplicationKeyDeleted),
  'application.signed': kind(application.ApplicationSigned),
  'proxy.created': kind(proxy.ProxyCreated),
  'proxy.updated': kind(proxy.ProxyUpdated),
  'proxy.deleted': kind(proxy.ProxyDeleted),
  'proxy.signed': kind(proxy.ProxySigned),
  'reactor.created': kind(reactor.ReactorCreated),
  'reactor.updated': kind(reactor.ReactorUpdated),
  'reactor.deleted': kind(reactor.ReactorDeleted),
  'reactor.signed': kind(reactor.ReactorSigned),
  'reactor.invoked': kind(invocation.ReactorInvoked),
  'reactor.started': kind(invocation.ReactorStarted),
  'reactor.completed': kind(invocation.ReactorCompleted),
  'reactor.failed': kind(invocation.ReactorFailed),
  'reactor.callback.deferred': kind(invocation.ReactorCallbackDeferred),
  'reactor.callback.delivered': kind(invocation.ReactorCallbackDelivered),
  'reactor.callback.failed': kind(invocation.ReactorCallbackFailed),
  'session.created': kind(session.SessionCreated),
  'session.authorized': kind(session.SessionAuthorized),
  'session.expired': kind(session.SessionExpired),
  'session.signed': kind(session.SessionSigned),
  'token.created': kind(token.TokenCreated),
  'token.updated': kind(token.TokenUpdated),
  'token.deleted': kind(token.TokenDeleted),
  'token.expired': kind(token.TokenExpired),
  'token.property.expired': kind(token.TokenPropertyExpired),
  'connection.created': kind(connection.ConnectionCreated),
  'connection.updated': kind(connection.ConnectionUpdated),
  'connection.available': kind(connection.ConnectionAvailable),
  'connection.failed': kind(connection.ConnectionFailed),
  'connection.deleted': kind(connection.ConnectionDeleted),
  'connection.forgotten': kind(connection.ConnectionForgotten),
  'transaction.created': kind(transaction.TransactionCreated),
  'transaction.authorization_requested': kind(transaction.CallRequested),
  'transaction.authorization_pending': kind(transaction.Answered),
  'transaction.buyer_approval_pending': kind(transaction.BuyerApprovalPending),
  'transaction.authorization_succeeded': kind(transaction.AuthorizationSucceeded),
  'transaction.authorization_declined': kind(transaction.Refused),
  'transaction.authorization_failed': kind(transaction.Refused),
  'transaction.capture_requested': kind(transaction.CallRequested),
  'transaction.capture_pending': kind(transaction.Answered),
  'transaction.capture_succeeded': kind(transaction.CaptureSucceeded),
  'transaction.capture_failed': kind(transaction.Refused),
  'transaction.void_requested': kind(transaction.VoidRequested),
  'transaction.authorization_void_pending': kind(transaction.Answered),
  'transaction.authorization_voided': kind(transaction.Answered),
  'transaction.void_failed': kind(transaction.Refused),
  'transaction.capture_revoked': kind(transaction.CaptureRevoked),
  'transaction.reversal_requested': kind(transaction.ReversalRequested),
  'transaction.reversal_pending': kind(transaction.Answered),
  'transaction.reversal_succeeded': kind(transaction.Answered),
  'transaction.reversal_failed': kind(transaction.Refused),
  'transaction.refund_requested': kind(transaction.RefundRequested),
  'transaction.refund_pending': kind(transaction.RefundAnswered),
  'transaction.refund_succeeded': kind(transaction.RefundSucceeded),
  'transaction.refund_declined': kind(transaction.RefundRefused),
  'transaction.refund_failed': kind(transaction.RefundRefused),
  'transaction.refund_voided': kind(transaction.RefundAnswered),
  '3ds.session.created': kind(threeDs.ThreeDsSessionCreated),
  '3ds.session.authenticated': kind(threeDs.ThreeDsSessionAuthenticated),
  '3ds.session.challenge-completed': kind(threeDs.ThreeDsChallengeCompleted),
  'webhook.created': kind(webhook.WebhookCreated),
  'webhook.updated': kind(webhook.WebhookUpdated),
  'webhook.secret.rotated': kind(webhook.WebhookSecretRotated),
  'webhook.disabled': kind(webhook.WebhookDisabled),
  'webhook.deleted': kind(webhook.WebhookDeleted),
  'webhook.pinged': kind(webhook.WebhookPinged),
  'webhook.delivery.retried': kind(webhook.WebhookDeliveryRetried),
  'webhook.replay.requested': kind(webhook.WebhookReplayRequested),
};

export const eventTypes: readonly string[] = Object.keys(eventCatalog);

/** The newest schema version of a type; undefined of a type that is not known. */
export function newestKnownVersion(type: string): number | undefined {
  const known = eventCatalog[type];
  return known && known.upcasters.length + 1;
}

/** The schema version in which events of this type are written today. */
export function newestVersion(type: string): number {
  const newest = newestKnownVersion(type);
  if (newest === undefined) throw new Error(`no such event type: ${type}`);
  return newest;
}

type Versioned = { type: string; data: object; metadata: { schema_version: number } };

/** Brings an event to its newest schema version; unknown types and newest versions pass as they are. */
export function upcast<Event extends Versioned>(event: Event): Event {
  const steps = eventCatalog[event.type]?.upcasters;
  if (steps === undefined || event.metadata.schema_version > steps.length) return event;
  const data = steps
    .slice(event.metadata.schema_version - 1)
    .reduce<Record<string, unknown>>((lifted, step) => step(lifted), { ...event.data });
  return { ...event, data, metadata: { ...event.metadata, schema_version: steps.length + 1 } };
}
