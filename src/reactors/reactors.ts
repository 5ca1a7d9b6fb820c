import type { CommandDependencies } from '#commands/context.ts';
import type { AccessDirectory } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { Outbound } from '#ports/outbound.ts';
import type { CodeCall, CodeCallAnswer, ProgramContent, Sandbox, SandboxResult } from '#ports/sandbox.ts';
import { getReactor } from '#queries/reactor/get.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import type { RunnableReactor } from '#queries/reactor/runnable.ts';
import type { Configuration } from '#src/configurations.ts';
import type { PreparedInvocation, ReactorAnswer, Reactors, RunOptions } from '#src/reactors/invocation.ts';
import { linesOf } from '#src/reactors/logs/ended.ts';
import type { LogKeeper } from '#src/reactors/logs/keeper.ts';
import { createAnswerBudget } from '#src/reactors/answerBudget.ts';
import { callForCode, fetchForCode } from '#src/reactors/outside.ts';
import type { BindBt } from '#src/reactors/bt.ts';
import { prepareInvocation } from '#src/reactors/prepare.ts';
import type { PrepareDependencies } from '#src/reactors/prepare.ts';
import { failedAnswer } from '#src/reactors/problems.ts';
import { answerReturned } from '#src/reactors/returned.ts';

export type ReactorsDependencies = PrepareDependencies &
  CommandDependencies & {
    sandbox: Sandbox;
    outbound: Outbound;
    bt: BindBt;
    accessDirectory: Pick<AccessDirectory, 'ofApplication'>;
    logKeeper: LogKeeper;
    /** What a run of nothing but the top level of the code may take, in milliseconds. */
    loadMilliseconds: number;
  };

/** What running a reactor gave, and what it ran with. */
type Ran = SandboxResult & { reactor: RunnableReactor; configuration: Configuration | undefined };

/** Runs reactors. spec: Invoke a Reactor */
export function createReactors(dependencies: ReactorsDependencies): Reactors {
  const { sandbox, outbound, bt, logKeeper, clock, accessDirectory } = dependencies;
  const budget = createAnswerBudget();

  const load = async ({ tenantId, id, applicationId }: RunnableReactor): Promise<ProgramContent> => {
    const { record, configuration } = await getReactor(dependencies, tenantId, id);
    return { code: record.code, configuration, hasApplication: applicationId !== undefined };
  };
  /** Without its application when that is gone, which makes another program of it. */
  const lent = async (reactor: RunnableReactor): Promise<RunnableReactor> => {
    const { tenantId, applicationId, version } = reactor;
    if (applicationId === undefined) return reactor;
    if ((await accessDirectory.ofApplication(tenantId, applicationId)) !== undefined) return reactor;
    return { ...reactor, applicationId: undefined, version: `${version} alone` };
  };
  const serve = async (call: CodeCall, reactor: RunnableReactor, origin: Origin): Promise<CodeCallAnswer> => {
    const { tenantId, applicationId } = reactor;
    try {
      if (call.kind === 'fetch') return await fetchForCode({ outbound, budget }, tenantId, call);
      if (applicationId === undefined) throw new Error('there is no application');
      return await callForCode(bt({ tenantId, applicationId }, { ...origin, depth: origin.depth + 1 }), call);
    } catch {
      return {
        failed: true,
        payload: JSON.stringify({ code: 'ECONNRESET', message: 'The call could not be made.' }),
      };
    }
  };
  const invoke = async (
    { reactor: prepared, args, origin }: PreparedInvocation,
    { milliseconds, patient, onlyLoad }: RunOptions & { onlyLoad: boolean },
  ): Promise<Ran> => {
    // What has waited may have been changed meanwhile.
    const current = patient
      ? await findRunnableReactor(dependencies, prepared.tenantId, prepared.id)
      : prepared;
    const reactor = await lent(current);
    const { tenantId, id, version } = reactor;
    let loaded: ProgramContent | undefined;
    const result = await sandbox.invoke({
      program: { tenantId, id, version, load: async () => (loaded = await load(reactor)) },
      args: onlyLoad ? undefined : args,
      milliseconds,
      depth: origin.depth,
      patient,
      serve: (call) => serve(call, reactor, origin),
    });
    return { ...result, reactor, configuration: loaded?.configuration };
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
