import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { Command, Option } from 'commander';
import { exportedColumns, readEntries } from '#infra/audit/readEntries.ts';
import type { EntryRange, ExportedEntry } from '#infra/audit/readEntries.ts';
import { verifyAudit } from '#infra/audit/verify.ts';
import { verifyEvents } from '#infra/audit/verifyEvents.ts';
import { eventTypes } from '#domain/catalog.ts';
import { digestOfEvent } from '#src/audit/ofEvent.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';
import { isUuid } from '#src/identifiers.ts';

type ExportOptions = { format: 'csv' | 'jsonl'; tenant?: string; from?: string; until?: string };

/** `holdfast audit …`: all of it works beside the running service. */
export function auditCommand(): Command {
  const command = new Command('audit').description('the audit log: who read, changed or was refused what');
  command
    .command('verify')
    .description('find whatever was edited, removed, moved or cut off; exit code 1 when there is anything')
    .option('--events', 'also hold the event log against the entries that were made of it')
    .action((options: { events?: boolean }) =>
      withComposition((composition) => verify(composition, options.events === true)),
    );
  command
    .command('export')
    .description('write the entries to standard output, tenant by tenant, oldest first')
    .addOption(new Option('--format <format>', 'csv or jsonl').choices(['csv', 'jsonl']).default('csv'))
    .option('--tenant <id>', 'only this tenant')
    .option('--from <time>', 'this moment and later (ISO 8601)')
    .option('--until <time>', 'before this moment (ISO 8601)')
    .action((options: ExportOptions) =>
      withComposition((composition) => exportEntries(composition, options)),
    );
  return command;
}

async function verify(composition: Composition, withEvents: boolean): Promise<void> {
  const { pools, auditKey, auditAnchors, writtenLog } = composition;
  const start = performance.now();
  const { entries, writers, faults } = await verifyAudit({
    database: pools.owner,
    key: await auditKey(),
    anchors: auditAnchors,
    onProgress: (count) => {
      print.progress(`${count.toLocaleString('en')} entries`);
    },
  });
  print.progressEnd();
  const rate = Math.round(entries / ((performance.now() - start) / 1_000)).toLocaleString('en');
  for (const { writerId, sequence, after, what } of faults) {
    const place = after === undefined ? 'from its beginning' : `after ${after.toISOString()}`;
    print.line(`chain ${writerId}, entry ${sequence}, ${place}: ${what}`);
  }
  print.line(
    `${entries} entries in ${writers} chains (${rate} entries/s): ${faults.length === 0 ? 'whole' : `${faults.length} NOT whole`}`,
  );
  if (faults.length > 0) process.exitCode = 1;
  if (!withEvents) return;
  const checked = await verifyEvents({
    database: pools.owner,
    log: writtenLog,
    digestOf: digestOfEvent,
    types: eventTypes,
    onProgress: (count) => {
      print.progress(`${count.toLocaleString('en')} events`);
    },
  });
  print.progressEnd();
  for (const { eventId, what } of checked.faults) print.line(`event ${eventId}: ${what}`);
  print.line(
    `${checked.events} events: ${checked.faults.length === 0 ? 'as they were audited' : 'NOT as they were audited'}`,
  );
  if (checked.waiting > 0) print.line(`${checked.waiting} of them, the newest, have no entry yet`);
  if (checked.faults.length > 0) process.exitCode = 1;
}

async function exportEntries(composition: Composition, options: ExportOptions): Promise<void> {
  const { pools } = composition;
  const { format, tenant } = options;
  if (tenant !== undefined && !isUuid(tenant)) {
    throw new OperatorError(`'${tenant}' is not the id of a tenant`);
  }
  const range: EntryRange = {
    tenantId: tenant,
    from: moment('--from', options.from),
    until: moment('--until', options.until),
  };
  await record(composition, { operation: 'read', entityType: 'log', tenantId: tenant, detail: 'export' });
  const entries = Readable.from(flattened(readEntries(pools.owner, range)));
  // Spreadsheets take a cell that begins with '=' for a formula.
  const rows =
    format === 'csv'
      ? entries.pipe(stringify({ header: true, columns: [...exportedColumns], escape_formulas: true }))
      : Readable.from(lines(entries));
  await pipeline(rows, process.stdout, { end: false });
}

async function* flattened(pages: AsyncIterable<ExportedEntry[]>): AsyncGenerator<ExportedEntry> {
  for await (const page of pages) yield* page;
}

async function* lines(entries: AsyncIterable<ExportedEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

function moment(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new OperatorError(`${option} is '${text}' and must be a time such as 2030-01-31T00:00:00Z`);
  }
  return time;
}
