import { Command } from 'commander';
import { EventTooNew } from '#ports/eventLog.ts';
import { UnknownEventType, UnknownView, ProjectionsHalted } from '#projections/engine/engine.ts';
import type { Engine, Progress } from '#projections/engine/engine.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { NothingToReplay, replay } from '#projections/engine/replay.ts';
import { NotParked, skip } from '#projections/engine/skip.ts';
import { status } from '#projections/engine/status.ts';
import { NothingToVerify, verify } from '#projections/engine/verify.ts';
import { bar, OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import { isUuid } from '#src/identifiers.ts';
import type { Composition } from '#src/main/compose.ts';
import { engineOf } from '#src/main/engine.ts';

const operatorErrors = [
  EventTooNew,
  UnknownEventType,
  UnknownView,
  ProjectionsHalted,
  NothingToReplay,
  NotParked,
  NothingToVerify,
];

/** `holdfast projections …`: all of it works beside the running service. */
export function projectionsCommand(): Command {
  const command = new Command('projections').description(
    'the read models: how they stand, and how to make them anew',
  );
  command
    .command('status')
    .description('how far each view has come, and what it could not take')
    .action(() => run(printStatus));
  command
    .command('rebuild <view>')
    .description('fill new tables of a view from the log, and put them in the place of the old')
    .option('--adopt-log', 'take the log for the truth, also when the view was made from another one')
    .action((view: string, options: { adoptLog?: boolean }) =>
      run(async (engine, composition) => {
        await recordOf(composition, 'rebuild', view);
        await printRebuild(engine, view, options);
      }),
    );
  command
    .command('verify <view>')
    .description('compare the tables of a view with what the log says; exit code 1 when they differ')
    .action((view: string) => run((engine) => printVerify(engine, view)));
  command
    .command('skip <view> <event>')
    .description('leave a parked event out of a view for good')
    .action((view: string, event: string) =>
      run(async (engine, composition) => {
        await recordOf(composition, 'skip', view, event);
        await skip(engine, view, event);
        print.line(`${view}: the event ${event} is left out; replay applies the events that wait behind it`);
      }),
    );
  command
    .command('replay <view>')
    .description('apply the parked events of a view')
    .action((view: string) =>
      run(async (engine, composition) => {
        await recordOf(composition, 'replay', view);
        const { applied, parked } = await replay(engine, view);
        print.line(`${view}: ${applied} events applied, ${parked} still parked`);
      }),
    );
  return command;
}

const recordOf = (composition: Composition, operation: string, view: string, event = ''): Promise<void> =>
  record(composition, { operation, entityType: 'view', entityId: isUuid(event) ? event : '', detail: view });

const run = (action: (engine: Engine, composition: Composition) => Promise<void>): Promise<void> =>
  withComposition(async (composition) => {
    try {
      await action(engineOf(composition), composition);
    } catch (error) {
      print.progressEnd();
      if (operatorErrors.some((kind) => error instanceof kind)) {
        throw new OperatorError((error as Error).message);
      }
      throw error;
    }
  });

async function printStatus(engine: Engine): Promise<void> {
  const { logId, head, views, unknownTypes } = await status(engine);
  print.line(`log ${logId}, head ${head ?? 'none'}`);
  print.line();
  print.table(
    ['VIEW', 'VERSION', 'LIVE', 'STATUS', 'POSITION', 'AT HEAD', 'PARKED', 'SKIPPED'],
    views.map((view) => [
      view.view,
      String(view.version),
      String(view.liveVersion ?? '-'),
      view.status,
      view.position ?? '-',
      view.atHead ? 'yes' : 'no',
      String(view.parked.length),
      String(view.skipped),
    ]),
  );
  for (const { view, lastError, parked } of views) {
    if (lastError !== null) print.line(`\n${view}: ${lastError}`);
    for (const event of parked) {
      print.line(`\n${view}: parked ${event.type} ${event.id}, ${event.stream} revision ${event.revision}`);
      print.line(`  ${event.error ?? 'waits behind an event of its stream'}`);
    }
  }
  for (const { type, events } of unknownTypes) {
    print.line(`\nunknown type ${type}: ${events} events passed over`);
  }
}

async function printRebuild(engine: Engine, view: string, options: { adoptLog?: boolean }): Promise<void> {
  const rebuilt = await rebuild(engine, view, report, options);
  print.progressEnd();
  const rate = Math.round(rebuilt.events / rebuilt.seconds).toLocaleString('en');
  print.line(
    `${view}: rebuilt from ${rebuilt.events} events in ${rebuilt.seconds.toFixed(1)} s (${rate} events/s)`,
  );
  if (rebuilt.parked > 0) print.line(`${view}: ${rebuilt.parked} events are parked: see projections status`);
}

async function printVerify(engine: Engine, view: string): Promise<void> {
  const verified = await verify(engine, view, report);
  print.progressEnd();
  for (const { table, equal, liveRows, expectedRows, changed } of verified.tables) {
    print.line(`${table}: ${equal ? 'equal' : 'DIFFERENT'}, ${liveRows} rows, ${expectedRows} by the log`);
    for (const key of changed) print.line(`  row ${key} is not what the log says`);
  }
  print.line(
    `${view} is ${verified.equal ? 'equal to' : 'NOT equal to'} the log at ${verified.position ?? 'the beginning'}`,
  );
  if (!verified.equal) process.exitCode = 1;
}

function report({ phase, events, eventsPerSecond, fraction }: Progress): void {
  const done = fraction === undefined ? '' : `${bar(fraction)} `;
  print.progress(
    `${done}${phase}, ${events.toLocaleString('en')} events, ${Math.round(eventsPerSecond).toLocaleString('en')}/s`,
  );
}
