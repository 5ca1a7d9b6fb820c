import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { createJobRunner } from '#infra/jobs/runner.ts';
import type { JobRunnerSettings } from '#infra/jobs/runner.ts';
import { createScheduler } from '#infra/scheduler/scheduler.ts';
import { createExpiring } from '#infra/postgres/expiring.ts';
import { createDeletedConnections } from '#infra/postgres/deletedConnections.ts';
import { createOpenPayments } from '#infra/postgres/openPayments.ts';
import { createUnfinishedBatches } from '#infra/postgres/unfinishedBatches.ts';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import { standings } from '#infra/subscriptions/standing.ts';
import { sweepRateCounts } from '#infra/rateLimits/sweep.ts';
import { sweepDeliveries } from '#infra/webhooks/sweep.ts';
import { createShortLivedParts } from '#infra/vault/shortLived/lapsedParts.ts';
import { projections } from '#projections/index.ts';
import { createRunner } from '#projections/engine/runner.ts';
import type { RunnerState } from '#projections/engine/runner.ts';
import { auditTrail } from '#subscribers/auditTrail.ts';
import { countActiveTokens } from '#infra/audit/activeTokens.ts';
import { createAuditedEvents } from '#infra/audit/auditedEvents.ts';
import { configurationRemoval } from '#subscribers/configurationRemoval.ts';
import { credentialRemoval } from '#subscribers/credentialRemoval.ts';
import { reactorLogRemoval } from '#subscribers/reactorLogRemoval.ts';
import { tenantErasure } from '#subscribers/tenantErasure.ts';
import { payloadRemoval } from '#subscribers/payloadRemoval.ts';
import { invocationRemoval } from '#subscribers/invocationRemoval.ts';
import { personRemoval } from '#subscribers/personRemoval.ts';
import { usedCodeRemoval } from '#subscribers/usedCodeRemoval.ts';
import { engineOf } from '#src/main/engine.ts';
import type { Composition } from '#src/main/compose.ts';
import { accountUpdaterWork } from '#src/main/accountUpdaterWork.ts';
import { connectionWork } from '#src/main/connectionWork.ts';
import { invocationWork } from '#src/main/invocationWork.ts';
import type { InvocationSettings } from '#src/main/invocationWork.ts';
import { createSubscriberMetrics } from '#src/main/subscriberMetrics.ts';
import { createSweepMetrics } from '#src/main/sweepMetrics.ts';
import { createViewMetrics } from '#src/main/viewMetrics.ts';
import { webhookWork } from '#src/main/webhookWork.ts';
import type { WebhookSettings } from '#src/main/webhookWork.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { vaultTimers } from '#src/main/vaultTimers.ts';
import { forgetConnections } from '#src/timers/forgetConnections.ts';
import { lapseProperties } from '#src/timers/lapseProperties.ts';
import { expireApprovals, reconcilePayments } from '#src/timers/payments.ts';
import { inOwnLog } from '#src/main/inOwnLog.ts';
import { undoBatches } from '#src/timers/undoBatches.ts';
import { expireApplications, expireSessions, expireTokens } from '#src/timers/expire.ts';

export type Worker = {
  /** How the projections of this process stand. */
  projections(): RunnerState;
  /** What it tells beside that. */
  metrics: Registry;
  /** Resolves when every view can be read. */
  viewsBuilt(): Promise<void>;
  /** Begins with what falls due by time; the views and subscribers already run. */
  startTimers(): void;
  stop(): Promise<void>;
};

/** How jobs are run, besides the defaults. */
export type JobSettings = InvocationSettings &
  Partial<Pick<JobRunnerSettings, 'pollInterval' | 'sweepInterval' | 'grace'>> & {
    /** Whether other processes do the jobs of the account updater. */
    updatesElsewhere?: boolean;
  };

const pollInterval = 20;

/** Runs the projections and subscribers; N workers share the work by locks in the database. */
export function startWorker(
  composition: Composition,
  reactors: Reactors,
  { timeLimit, callbackDelays, updatesElsewhere = false, ...settings }: JobSettings = {},
  webhookSettings: WebhookSettings = {},
): Worker {
  const { log, writtenLog, audit, clock, connection, logger, vault, credentials, pools, reactorLogs } =
    composition;
  const runner = createRunner(engineOf(composition));
  const invocations = invocationWork(composition, reactors, { timeLimit, callbackDelays });
  const connections = connectionWork(composition);
  const updates = accountUpdaterWork(composition);
  const tasks = [...invocations.tasks, ...connections.tasks, ...(updatesElsewhere ? [] : updates.tasks)];
  const jobs = createJobRunner({ ...settings, connection, tasks, logger });
  const webhooks = webhookWork(composition, webhookSettings);
  const subscribers = [
    payloadRemoval(vault),
    personRemoval(vault),
    configurationRemoval(vault),
    reactorLogRemoval(reactorLogs),
    credentialRemoval(credentials),
    tenantErasure(composition),
    invocationRemoval(vault),
    usedCodeRemoval(composition, createShortLivedParts(pools.owner)),
    invocations.subscriber,
    ...connections.subscribers,
    ...updates.subscribers,
    ...webhooks.subscribers,
  ];
  const subscriptions = createSubscriptionRunner({ log, connection, subscribers, logger });
  // What is audited is what was written, not what later versions make of it.
  const audited = auditTrail(audit, createAuditedEvents(pools.owner));
  const trail = createSubscriptionRunner({ log: writtenLog, connection, subscribers: [audited], logger });
  const alarms = new Registry();
  alarms.registerMetric(composition.integrityAlarms);
  const expiring = createExpiring(pools.owner);
  const openPayments = createOpenPayments(pools.owner);
  const payments = { ...composition, publicUrl: composition.config.publicUrl };
  const scheduler = createScheduler({
    pool: pools.owner,
    timers: inOwnLog(composition, [
      expireTokens(composition, expiring),
      expireApplications(composition, expiring),
      expireSessions(composition, expiring),
      lapseProperties(composition, createShortLivedParts(pools.owner)),
      reconcilePayments(payments, openPayments),
      expireApprovals(payments, openPayments),
      forgetConnections(composition, createDeletedConnections(pools.owner)),
      undoBatches(composition, createUnfinishedBatches(pools.owner)),
      {
        name: 'count_active_tokens',
        schedule: '* * * * *',
        run: () => countActiveTokens(pools.owner),
      },
      { name: 'sweep_webhook_deliveries', schedule: '*/10 * * * *', run: () => sweepDeliveries(pools.owner) },
      ...updates.timers,
      { name: 'sweep_rate_counts', schedule: '* * * * *', run: () => sweepRateCounts(pools.owner) },
      ...vaultTimers(composition),
    ]),
    logger,
  });
  runner.start();
  subscriptions.start();
  trail.start();
  jobs.start();
  webhooks.sender.start();
  return {
    projections: () => runner.state(),
    metrics: Registry.merge([
      webhooks.metrics,
      createViewMetrics(engineOf(composition), clock),
      createSubscriberMetrics({
        log,
        clock,
        subscribers: [...subscribers, audited],
        standings: () => standings(pools.owner),
      }),
      createSweepMetrics(pools.owner),
      alarms,
    ]),
    viewsBuilt: async () => {
      while (!(await areBuilt(pools.owner))) await sleep(pollInterval);
    },
    startTimers: () => {
      scheduler.start();
    },
    stop: async () => {
      await scheduler.stop();
      await jobs.stop();
      await webhooks.sender.stop();
      await trail.stop();
      await subscriptions.stop();
      await runner.stop();
    },
  };
}

/** A view that is being built anew is read in its older version meanwhile. */
async function areBuilt(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ views: string[] | null }>(
    'select array_agg(view) as views from work.projection_checkpoints',
  );
  const built = new Set(rows[0]?.views);
  return projections.every(({ name }) => built.has(name));
}
