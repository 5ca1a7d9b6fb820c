import { eventTypes } from '#domain/catalog.ts';
import { verifyAudit } from '#infra/audit/verify.ts';
import { verifyEvents } from '#infra/audit/verifyEvents.ts';
import { verifyPayloads } from '#infra/verification/verifyPayloads.ts';
import { verifyReferences } from '#infra/verification/verifyReferences.ts';
import { verifyStreams } from '#infra/verification/verifyStreams.ts';
import { digestOfEvent } from '#src/audit/ofEvent.ts';
import type { Finding } from '#src/cli/finding.ts';
import { print } from '#src/cli/print.ts';
import { credentials, rights } from '#src/cli/verifyRights.ts';
import { views } from '#src/cli/verifyViews.ts';
import type { Composition } from '#src/main/compose.ts';

/** Looks at everything that is kept; sets exit code 1 when anything is wrong. */
export async function verifyAll(composition: Composition): Promise<void> {
  for (const check of [streams, events, references, payloads, credentials, rights, views, chains]) {
    const finding = await check(composition);
    print.progressEnd();
    if (finding === undefined) continue;
    const { what, faults } = finding;
    for (const fault of faults) print.line(fault);
    print.line(`${what}: ${faults.length === 0 ? 'whole' : `${faults.length} NOT whole`}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

/** Of a log in PostgreSQL; EventStoreDB numbers the events of a stream without a gap by itself. */
async function streams({ config, pools }: Composition): Promise<Finding | undefined> {
  if (config.eventStoreDbUrl !== undefined) return undefined;
  const { events: count, faults } = await verifyStreams(pools.owner);
  return { what: `${count} events in their streams`, faults };
}

async function events({ pools, writtenLog }: Composition): Promise<Finding> {
  const verified = await verifyEvents({
    database: pools.owner,
    log: writtenLog,
    digestOf: digestOfEvent,
    types: eventTypes,
    onProgress: progressOf('events'),
  });
  return {
    what: `${verified.events} events as they were audited`,
    faults: verified.faults.map(({ eventId, what }) => `event ${eventId}: ${what}`),
  };
}

async function references({ pools, log }: Composition): Promise<Finding> {
  const verified = await verifyReferences({
    database: pools.owner,
    log,
    onProgress: progressOf('references'),
  });
  return { what: `${verified.references} references of events to the vault`, faults: verified.faults };
}

async function payloads({ pools, vault }: Composition): Promise<Finding> {
  const verified = await verifyPayloads({ database: pools.owner, vault, onProgress: progressOf('payloads') });
  return { what: `${verified.payloads} payloads decrypted`, faults: verified.faults };
}

async function chains({ pools, auditKey, auditAnchors }: Composition): Promise<Finding> {
  const verified = await verifyAudit({
    database: pools.owner,
    key: await auditKey(),
    anchors: auditAnchors,
    onProgress: progressOf('entries'),
  });
  return {
    what: `${verified.entries} entries of the audit log in ${verified.writers} chains`,
    faults: verified.faults.map(
      ({ writerId, sequence, what }) => `chain ${writerId}, entry ${sequence}: ${what}`,
    ),
  };
}

const progressOf =
  (what: string) =>
  (count: number): void => {
    print.progress(`${count.toLocaleString('en')} ${what}`);
  };
