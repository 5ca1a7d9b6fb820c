import type { Migration } from '#infra/postgres/migrations/migration.ts';
import { roles } from '#infra/postgres/migrations/0001_roles.ts';
import { eventLog } from '#infra/postgres/migrations/0002_event_log.ts';
import { projections } from '#infra/postgres/migrations/0003_projections.ts';
import { vault } from '#infra/postgres/migrations/0004_vault.ts';
import { idempotency } from '#infra/postgres/migrations/0005_idempotency.ts';
import { findTokens } from '#infra/postgres/migrations/0007_find_tokens.ts';
import { fingerprintClaims } from '#infra/postgres/migrations/0008_fingerprint_claims.ts';
import { unfinishedBatches } from '#infra/postgres/migrations/0009_unfinished_batches.ts';
import { appendByEvent } from '#infra/postgres/migrations/0010_append_by_event.ts';
import { audit } from '#infra/postgres/migrations/0011_audit.ts';
import { auditAppend } from '#infra/postgres/migrations/0016_audit_append.ts';
import { findTokensGranted } from '#infra/postgres/migrations/0012_find_tokens_granted.ts';
import { usage } from '#infra/postgres/migrations/0013_usage.ts';
import { reactorLogs } from '#infra/postgres/migrations/0014_reactor_logs.ts';
import { webhookDeliveries } from '#infra/postgres/migrations/0015_webhook_deliveries.ts';
import { webhookLanes } from '#infra/postgres/migrations/0084_webhook_lanes.ts';
import { auditWriters } from '#infra/postgres/migrations/0105_audit_writers.ts';
import { dataKeys } from '#infra/postgres/migrations/0094_data_keys.ts';
import { countedEntries } from '#infra/postgres/migrations/0090_counted_entries.ts';
import { signedRights } from '#infra/postgres/migrations/0091_signed_rights.ts';
import { blockedSubscribers } from '#infra/postgres/migrations/0086_blocked_subscribers.ts';
import { replayTurns } from '#infra/postgres/migrations/0087_replay_turns.ts';
import { rateLimits } from '#infra/postgres/migrations/0083_rate_limits.ts';
import { webhookReplays } from '#infra/postgres/migrations/0078_webhook_replays.ts';
import { subscriptions } from '#infra/postgres/migrations/0006_subscriptions.ts';
import { logRole } from '#infra/postgres/migrations/0102_log_role.ts';
import { parkedStreams } from '#infra/postgres/migrations/0114_parked_streams.ts';
import { batchClaims } from '#infra/postgres/migrations/0110_batch_claims.ts';
import { quarantine } from '#infra/postgres/migrations/0111_quarantine.ts';
import { lastEvents } from '#infra/postgres/migrations/0112_last_events.ts';
import { installation } from '#infra/postgres/migrations/0113_installation.ts';
import { credentialsSecurity } from '#infra/postgres/migrations/0103_credentials_security.ts';

/** Every step, in order. */
export const migrations: readonly Migration[] = [
  roles,
  eventLog,
  projections,
  vault,
  idempotency,
  subscriptions,
  findTokens,
  fingerprintClaims,
  unfinishedBatches,
  appendByEvent,
  audit,
  findTokensGranted,
  usage,
  reactorLogs,
  webhookDeliveries,
  auditAppend,
  rateLimits,
  webhookReplays,
  webhookLanes,
  blockedSubscribers,
  replayTurns,
  countedEntries,
  dataKeys,
  logRole,
  credentialsSecurity,
  auditWriters,
  signedRights,
  batchClaims,
  quarantine,
  lastEvents,
  installation,
  parkedStreams,
];
