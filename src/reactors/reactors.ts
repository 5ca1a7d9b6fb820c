import type { CommandDependencies } from '#commands/context.ts';
import type { AccessDirectory } from '#ports/accessDirectory.ts';
import type { SandboxResult } from '#ports/sandbox.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import type { RunnableReactor } from '#queries/reactor/runnable.ts';
import type { Configuration } from '#src/configurations.ts';
import type { PreparedInvocation, ReactorAnswer, Reactors, RunOptions } from '#src/reactors/invocation.ts';
import { linesOf } from '#src/reactors/logs/ended.ts';
import type { LogKeeper } from '#src/reactors/logs/keeper.ts';
import { codeOfReactor } from '#src/reactors/codeOfReactor.ts';
import { prepareInvocation } from '#src/reactors/prepare.ts';
import type { PrepareDependencies } from '#src/reactors/prepare.ts';
import { failedAnswer } from '#src/reactors/problems.ts';
import { answerReturned } from '#src/reactors/returned.ts';
import type { RunCode } from '#src/reactors/runCode.ts';

export type ReactorsDependencies = PrepareDependencies &
  CommandDependencies & {
    runCode: RunCode;
    accessDirectory: Pick<AccessDirectory, 'ofApplication'>;
    logKeeper: LogKeeper;
    /** What a run of nothing but the top level of the code may take, in milliseconds. */
    loadMilliseconds: number;
  };

/** What running a reactor gave, and what it ran with. */
type Ran = SandboxResult & { reactor: RunnableReactor; configuration: Configuration | undefined };

/** Runs reactors. spec: Invoke a Reactor */
export function createReactors(dependencies: ReactorsDependencies): Reactors {
  const { runCode, logKeeper, clock } = dependencies;

  const invoke = async (
    { reactor: prepared, args, origin }: PreparedInvocation,
    { milliseconds, patient, onlyLoad }: RunOptions & { onlyLoad: boolean },
  ): Promise<Ran> => {
    // What has waited may have been changed meanwhile.
    const reactor = patient
      ? await findRunnableReactor(dependencies, prepared.tenantId, prepared.id)
      : prepared;
    let loaded: Configuration | undefined;
    const code = codeOfReactor(dependencies, reactor);
    const load = async () => {
      const content = await code.load();
      loaded = content.configuration;
      return content;
    };
    const run = { args: onlyLoad ? undefined : args, milliseconds, origin, patient };
    return { ...(await runCode({ ...code, load }, run)), reactor, configuration: loaded };
  };
  const answerOf = async (
    prepared: PreparedInvocation,
    { outcome }: Ran,
    milliseconds: number,
  ): Promise<ReactorAnswer> =>
    outcome.kind === 'returned'
      ? answerReturned(dependencies, prepared, outcome.result)
      : failedAnswer(outcome, milliseconds);

  return {
    prepare: (caller, reactorId, args, origin) =>
      prepareInvocation(dependencies, caller, reactorId, args, origin),
    checkCode: async (prepared) => {
      const milliseconds = dependencies.loadMilliseconds;
      const { outcome } = await invoke(prepared, { milliseconds, onlyLoad: true });
      const isWrong = outcome.kind === 'does_not_compile' || outcome.kind === 'not_a_function';
      return isWrong ? failedAnswer(outcome, milliseconds) : undefined;
    },
    run: async (prepared, options) => {
      const { milliseconds } = options;
      const startedAt = clock.now();
      const begun = performance.now();
      const ran = await invoke(prepared, { ...options, onlyLoad: false });
      const took = Math.round(performance.now() - begun);
      let answer: ReactorAnswer | undefined;
      try {
        answer = await answerOf(prepared, ran, milliseconds);
        return answer;
      } finally {
        logKeeper.keep({
          tenantId: ran.reactor.tenantId,
          reactorId: ran.reactor.id,
          payloadId: ran.reactor.payloadId,
          configuration: ran.configuration,
          injected: prepared.injected,
          traceId: prepared.origin.traceId,
          startedAt,
          milliseconds: took,
          outcome: ran.outcome.kind,
          status: answer?.status,
          lines: linesOf(ran),
        });
      }
    },
  };
}
