import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { adopt } from '#infra/eventlog/binding/adopt.ts';
import { readInstallation } from '#infra/eventlog/binding/installation.ts';
import { nameOfLog } from '#infra/eventlog/binding/sentences.ts';
import { upcasting } from '#infra/eventlog/upcasting.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { projections } from '#projections/index.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';
import { engineOf } from '#src/main/engine.ts';
import { WrongLog } from '#ports/eventLog.ts';

type Options = { yes?: boolean };

/** `holdfast log …`: which event log the installation is bound to. */
export function logCommand(): Command {
  const command = new Command('log').description('the event log that this installation is bound to');
  command
    .command('adopt')
    .description(
      'bind the installation to the event log that the settings name, as it is now; the service is stopped',
    )
    .option('--yes', 'do not ask')
    .action((options: Options) => withComposition((composition) => run(composition, options)));
  return command;
}

async function run(composition: Composition, { yes = false }: Options): Promise<void> {
  await requireStopped(composition);
  const reason = await wrongOf(composition);
  const logs = await describeLogs(composition);
  if (reason === undefined) {
    print.line(
      'The installation is bound to this event log, and nothing is missing: there is nothing to adopt.',
    );
    return;
  }
  print.line(`What is wrong: ${reason}.`);
  print.line();
  print.line(
    'Views are made anew from this log. Subscribers go on after the last event that both logs share.',
  );
  print.line('Payloads that no event of this log refers to go into quarantine, and then are deleted.');
  if (!yes) await confirm();
  await record(composition, { operation: 'adopt', entityType: 'event_log', detail: logs });
  const { shared, subscribers } = await adopt(composition.pools.owner, composition.namedLog);
  print.line();
  print.line(
    shared === undefined
      ? 'No event of this log was read before: subscribers begin as new ones do.'
      : `The last event that both logs share is ${shared.id} at ${shared.position}.`,
  );
  for (const { name, position } of subscribers) {
    if (position !== undefined) print.line(`${name}: goes on after ${position ?? 'the beginning'}`);
  }
  await rebuildViews(composition);
  print.line('Start the service: it looks for orphaned payloads first.');
}

/** Processes of the service report every two seconds; this one does, too. */
async function requireStopped({ pools }: Composition): Promise<void> {
  const { rows } = await pools.owner.query<{ count: number }>(
    `select count(*)::int4 as count from vault.key_processes where seen_at > now() - interval '8 seconds'`,
  );
  if ((rows[0]?.count ?? 0) <= 1) return;
  throw new OperatorError('the service runs, or did a moment ago: stop it everywhere, and try again');
}

/** Why the log that the settings name cannot be written to; undefined: it can. */
async function wrongOf({ logGuard }: Composition): Promise<string | undefined> {
  try {
    await logGuard.checkWhole();
    return undefined;
  } catch (error) {
    if (error instanceof WrongLog) return error.message;
    throw error;
  }
}

/** Shows both logs; answers them for the audit log. */
async function describeLogs({ pools, namedLog: { log, place } }: Composition): Promise<string> {
  const installation = await readInstallation(pools.owner);
  const [id, head, owner] = [await log.logId(), await log.head(), await log.owner()];
  const before =
    installation.logId === null
      ? 'none yet'
      : nameOfLog({ id: installation.logId, place: installation.logPlace });
  const owners = { [installation.id]: 'this installation', none: 'no installation' };
  print.line(`Bound to:      ${before}`);
  print.line(`Settings name: ${nameOfLog({ id, place })}`);
  print.line(`  its end:     ${head ?? 'it is empty'}`);
  print.line(`  belongs to:  ${owners[owner ?? 'none'] ?? `another installation, ${owner ?? ''}`}`);
  print.line();
  return `from ${installation.logId ?? 'none'} to ${id}`;
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new OperatorError('nobody can be asked here: say --yes');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question("Type 'adopt' to go on: ").finally(() => {
    prompt.close();
  });
  if (answer.trim() !== 'adopt') throw new OperatorError('nothing was changed');
}

async function rebuildViews(composition: Composition): Promise<void> {
  const log = upcasting(composition.namedLog.log);
  const engine = { ...engineOf(composition), log };
  for (const { name } of projections) {
    const { events } = await rebuild(engine, name, () => undefined, { adoptLog: true });
    print.line(`${name}: made anew from ${events} events`);
  }
}
