import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { Connection } from '#infra/postgres/connection.ts';
import type { Counter } from 'prom-client';
import type { CommandDependencies } from '#commands/context.ts';
import { createAnchorFiles } from '#infra/audit/anchorFiles.ts';
import type { Anchors } from '#infra/audit/anchors.ts';
import { createThreadedAudit } from '#infra/audit/threaded.ts';
import { createAuditWriter } from '#infra/audit/writer.ts';
import { readBinTable } from '#infra/binTable/readBinTable.ts';
import { createLogGuard } from '#infra/eventlog/binding/guard.ts';
import type { LogGuard } from '#infra/eventlog/binding/guard.ts';
import { guarded } from '#infra/eventlog/binding/guarded.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { sharing } from '#infra/eventlog/sharing.ts';
import { upcasting } from '#infra/eventlog/upcasting.ts';
import { createOutboundGuard } from '#infra/outbound/guard.ts';
import { createOutbound } from '#infra/outbound/outbound.ts';
import { createPools } from '#infra/postgres/pools.ts';
import { createKeyUses } from '#infra/postgres/keyUses.ts';
import type { RunningKeyUses } from '#infra/postgres/keyUses.ts';
import type { Pools, PoolSizes } from '#infra/postgres/pools.ts';
import { createReadModels } from '#infra/postgres/readModels.ts';
import { createUnfinishedBatches } from '#infra/postgres/unfinishedBatches.ts';
import { createViews } from '#infra/postgres/views.ts';
import { createRateLimiter } from '#src/main/rateLimiter.ts';
import type { RunningRateLimiter } from '#src/main/rateLimiter.ts';
import { createSandbox } from '#infra/sandbox/sandbox.ts';
import type { RunningSandbox } from '#infra/sandbox/sandbox.ts';
import type { PostgresViews } from '#infra/postgres/views.ts';
import { createCredentials } from '#infra/vault/credentials/credentials.ts';
import { createFingerprintClaims } from '#infra/vault/fingerprints/claims.ts';
import { onceLoaded } from '#infra/vault/keys/onceLoaded.ts';
import { loadSystemKey, loadSystemSigningKey } from '#infra/vault/keys/systemKey.ts';
import { openKeyProvider } from '#infra/vault/keyProviders/openKeyProvider.ts';
import type { RootKeySource } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { createReactorLogs } from '#infra/vault/reactorLogs/reactorLogs.ts';
import { createStateSigner } from '#infra/vault/signing/stateSigner.ts';
import { createMessageSigner } from '#infra/vault/signing/messageSigner.ts';
import { createVault } from '#infra/vault/vault.ts';
import type { RunningVault } from '#infra/vault/vault.ts';
import { createWebhookDeliveries } from '#infra/webhooks/deliveries.ts';
import type { Config } from '#src/config.ts';
import { randomId } from '#src/identifiers.ts';
import { createIntegrityAlarms } from '#src/main/integrityAlarms.ts';
import { createClock } from '#src/main/clock.ts';
import type { Audit } from '#ports/audit.ts';
import type { CardNetworks } from '#ports/cardNetworks.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import type { Logger } from '#ports/logger.ts';
import type { MessageSigner } from '#ports/messageSigner.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { ObjectTransfers } from '#ports/objectTransfers.ts';
import type { Outbound, OutboundGuard } from '#ports/outbound.ts';
import type { Timer } from '#ports/timer.ts';
import { LogRefused } from '#ports/eventLog.ts';
import { StartupError } from '#src/startupError.ts';
import type { ReactorLogs } from '#ports/reactorLogs.ts';
import type { WebhookDeliveries } from '#ports/webhookDeliveries.ts';
import { createBoundedOutbound } from '#src/outgoing/boundedOutbound.ts';
import { createLogKeeper } from '#src/reactors/logs/keeper.ts';
import type { LogKeeper } from '#src/reactors/logs/keeper.ts';
import type { PaymentProviders } from '#ports/paymentProvider.ts';
import { createCardNetworks } from '#src/main/cardNetworks.ts';
import { createObjects } from '#src/main/objectStorage.ts';
import { createPaymentProviders } from '#src/main/paymentProviders.ts';
import { sandboxSettings } from '#src/main/sandboxSettings.ts';
import { settingsOfTenant } from '#queries/tenant/settings.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

/** Everything that commands and queries stand on, as one process has it. */
export type Composition = CommandDependencies &
  QueryDependencies & {
    config: Config;
    connection: Connection;
    pools: Pools;
    keyProvider: KeyProvider;
    vault: RunningVault;
    views: PostgresViews;
    audit: Audit;
    /** The audit log's key and heads, for those who verify it. */
    auditKey: () => Promise<KeyObject>;
    auditAnchors: Anchors;
    /** What rights and credentials are signed with. */
    rightsKey: () => Promise<KeyObject>;
    /** Counts alarms of rights that were changed. */
    integrityAlarms: Counter;
    keyUses: RunningKeyUses;
    outbound: Outbound;
    outboundGuard: OutboundGuard;
    paymentProviders: PaymentProviders;
    sandbox: RunningSandbox;
    reactorLogs: ReactorLogs;
    logKeeper: LogKeeper;
    webhookDeliveries: WebhookDeliveries;
    messageSigner: MessageSigner;
    objects: ObjectStorage;
    /** Makes what answers clients' requests to the object storage; undefined: it answers them itself. */
    objectTransfers: ((dependencies: CommandDependencies) => ObjectTransfers) | undefined;
    objectTimers: readonly Timer[];
    cardNetworks: CardNetworks;
    rateLimiter: RunningRateLimiter;
    /** The log as it was written: events in the versions of their time. */
    writtenLog: EventLog;
    /** Keeps this installation to its log. */
    logGuard: LogGuard;
    /** The log that the settings name, whose it may be. */
    namedLog: PlacedLog;
    logger: Logger;
    close(): Promise<void>;
  };

export type CompositionOptions = {
  sizes: PoolSizes;
  /** For an answer of the database, in milliseconds; by default as long as a request may wait. */
  patience?: number;
  /** It answers requests: the audit log is written in a thread of its own, which takes no time from them. */
  serves?: boolean;
};

/** Puts adapters behind the ports. The database is migrated already. */
export async function compose(
  config: Config,
  connection: Connection,
  logger: Logger,
  { sizes, patience, serves = false }: CompositionOptions,
): Promise<Composition> {
  // First, because it may refuse, and nothing is open yet.
  const binTable = await readBinTable(config.binTable);
  const clock = createClock(config.clockOffset);
  const pools = createPools(connection, sizes, patience);
  const { environment } = config;
  const keyProvider = await openKeyProvider({
    pool: pools.vault,
    environment,
    source: rootKeySource(config),
    logger,
  });
  const vault = createVault({ pool: pools.vault, keyProvider, clock, environment, logger });
  await vault.start();
  const namedLog = { log: await createLog(config, connection, pools, logger), place: placeOfLog(config) };
  const logGuard = createLogGuard({ ...namedLog, pool: pools.api, ownerPool: pools.owner });
  const writtenLog = sharing(guarded(namedLog.log, logGuard), logger);
  const log = upcasting(writtenLog);
  const auditKey = onceLoaded(() => loadSystemKey(pools.vault, { keyProvider, environment }, 'audit'));
  const signingKey = onceLoaded(() =>
    loadSystemSigningKey(pools.vault, { keyProvider, environment }, 'webhooks'),
  );
  const objectKey = onceLoaded(() => loadSystemKey(pools.vault, { keyProvider, environment }, 'objects'));
  const rightsKey = onceLoaded(() => loadSystemKey(pools.vault, { keyProvider, environment }, 'rights'));
  const { alarm: integrityAlarm, counter: integrityAlarms } = createIntegrityAlarms(logger, serves);
  const stateSigner = createStateSigner(rightsKey, integrityAlarm);
  const { objects, transfers, timers } = createObjects({ config, clock, secret: objectKey });
  const directory = auditAnchorsIn(config);
  const auditAnchors = createAnchorFiles(directory, auditKey);
  const audit = serves
    ? createThreadedAudit({ connection, directory, key: auditKey, logger })
    : createAuditWriter({
        newWriterId: randomId,
        pool: pools.audit,
        anchors: auditAnchors,
        key: auditKey,
        logger,
      });
  const keyUses = createKeyUses(pools.owner, clock, logger);
  const outbound = createOutbound({ exceptions: config.outboundAllow });
  const boundedOutbound = createBoundedOutbound(outbound, (tenantId) =>
    settingsOfTenant({ log, stateSigner }, tenantId),
  );
  const views = createViews({ connection, pool: pools.api, log, logger });
  const reactorLogs = createReactorLogs({ pool: pools.api, vault });
  const composed: Composition = {
    objects,
    objectTransfers: transfers,
    objectTimers: timers,
    cardNetworks: createCardNetworks(config, outbound),
    config,
    connection,
    logger,
    clock,
    pools,
    keyProvider,
    vault,
    credentials: createCredentials({
      pool: pools.vault,
      keyProvider,
      environment,
      macKey: rightsKey,
      alarm: integrityAlarm,
    }),
    stateSigner,
    rightsKey,
    integrityAlarm,
    integrityAlarms,
    log,
    writtenLog,
    logGuard,
    namedLog,
    audit,
    auditKey,
    auditAnchors,
    keyUses,
    outbound: boundedOutbound,
    outboundGuard: createOutboundGuard(config.outboundAllow),
    paymentProviders: createPaymentProviders({ config, clock, outbound }),
    sandbox: createSandbox(sandboxSettings(config), logger),
    reactorLogs,
    logKeeper: createLogKeeper({ reactorLogs, vault, log, logger }),
    webhookDeliveries: createWebhookDeliveries(pools.api),
    messageSigner: createMessageSigner(signingKey),
    rateLimiter: createRateLimiter(config, connection, logger),
    views,
    fingerprintClaims: createFingerprintClaims(pools.api),
    unfinishedBatches: createUnfinishedBatches(pools.api),
    binTable,
    readModels: createReadModels(pools.api),
    close: async () => {
      await composed.sandbox.close();
      objects.close();
      await composed.logKeeper.close();
      await composed.outbound.close();
      await keyUses.close();
      await audit.close();
      await composed.rateLimiter.close();
      await views.close();
      await log.close();
      await vault.close();
      await pools.close();
    },
  };
  return composed;
}

/** Where the root key comes from. */
export const rootKeySource = ({ rootKey, dataDirectory }: Config): RootKeySource =>
  rootKey === undefined ? { file: join(dataDirectory, 'root.key') } : { value: rootKey };

/** The directory of the heads of the audit log. */
export const auditAnchorsIn = ({ auditAnchors, dataDirectory }: Config): string =>
  auditAnchors ?? join(dataDirectory, 'audit');

/** Where the event log is, for people: without user and password. */
function placeOfLog({ eventStoreDbUrl, streamPrefix }: Config): string {
  if (eventStoreDbUrl === undefined) return 'PostgreSQL';
  const [, hosts] = /^[^:]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(eventStoreDbUrl) ?? [];
  const server = `EventStoreDB at ${hosts ?? 'an unknown place'}`;
  return streamPrefix === '' ? server : `${server}, prefix ${streamPrefix}`;
}

async function createLog(
  { eventStoreDbUrl: connectionString, streamPrefix }: Config,
  connection: Connection,
  pools: Pools,
  logger: Logger,
): Promise<EventLog> {
  if (connectionString === undefined) return createPostgresEventLog({ pool: pools.log, connection, logger });
  // Loaded where it is used: it brings two hundred modules.
  const { createEventStoreDbEventLog } = await import('#infra/eventlog/eventstoredb/eventLog.ts');
  const log = createEventStoreDbEventLog({ connectionString, streamPrefix, logger });
  // A store that is away may come back; one that refuses this process waits for a person.
  await log.head().catch(async (error: unknown) => {
    if (!(error instanceof LogRefused)) return;
    await log.close();
    throw new StartupError(error.message, { cause: error });
  });
  return log;
}
