import { Command } from 'commander';
import { NotBlocked, skip } from '#infra/subscriptions/skip.ts';
import { standings } from '#infra/subscriptions/standing.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { isUuid } from '#src/identifiers.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';

/** `holdfast subscribers …`: all of it works beside the running service. */
export function subscribersCommand(): Command {
  const command = new Command('subscribers').description('what the event log drives: how it stands');
  command
    .command('status')
    .description('how far each subscriber has come, and which event it cannot handle')
    .action(() => withComposition(printStatus));
  command
    .command('skip <subscriber> <event>')
    .description('leave an event out, for good, for a subscriber that is blocked by it')
    .action((subscriber: string, event: string) =>
      withComposition((composition) => leaveOut(composition, subscriber, event)),
    );
  return command;
}

async function printStatus({ pools, log }: Composition): Promise<void> {
  const [found, head] = await Promise.all([standings(pools.owner), log.head()]);
  print.line(`head ${head ?? 'none'}`);
  print.line();
  print.table(
    ['SUBSCRIBER', 'POSITION', 'FAILING', 'SKIPPED'],
    found.map(({ name, position, failingSeconds, skipped }) => [
      name,
      position ?? '-',
      failingSeconds === 0 ? '-' : `${Math.ceil(failingSeconds)} s`,
      String(skipped),
    ]),
  );
  for (const { name, lastError, blocked } of found) {
    if (lastError === null) continue;
    print.line(`\n${name}: ${lastError}`);
    if (blocked !== null) {
      print.line(`  blocked by ${blocked.type} ${blocked.id} at position ${blocked.position}`);
    }
  }
}

async function leaveOut(composition: Composition, subscriber: string, event: string): Promise<void> {
  const entityId = isUuid(event) ? event : '';
  await record(composition, { operation: 'skip', entityType: 'subscriber', entityId, detail: subscriber });
  try {
    await skip(composition.pools.owner, subscriber, event);
  } catch (error) {
    if (error instanceof NotBlocked) throw new OperatorError(error.message);
    throw error;
  }
  print.line(`${subscriber}: the event ${event} is left out; within ten seconds the subscriber goes on`);
}
