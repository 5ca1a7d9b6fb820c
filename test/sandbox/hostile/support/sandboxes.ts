import { createSandbox } from '#infra/sandbox/sandbox.ts';
import type { RunningSandbox } from '#infra/sandbox/sandbox.ts';
import type { SandboxSettings } from '#infra/sandbox/settings.ts';
import type { Outbound } from '#ports/outbound.ts';
import type { SandboxResult } from '#ports/sandbox.ts';
import { createAnswerBudget } from '#src/reactors/answerBudget.ts';
import { createFollowedRedirects } from '#src/reactors/followedRedirects.ts';
import { fetchForCode } from '#src/reactors/outside.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type TestSandbox = RunningSandbox & {
  /** Runs code once, for a tenant. */
  runCode(code: string, args?: unknown, tenantId?: string): Promise<SandboxResult>;
  /** What the code returns as raw. @throws Error when it does not return */
  rawOf(code: string, args?: unknown, tenantId?: string): Promise<unknown>;
};

/** The sandbox without a service around it; code reaches what `outbound` lets it. */
export function startSandbox({
  outbound,
  settings = {},
  milliseconds = 20_000,
}: {
  outbound?: Outbound;
  settings?: Partial<SandboxSettings>;
  milliseconds?: number;
}): TestSandbox {
  const sandbox = createSandbox(settings, silentLogger);
  let programs = 0;
  const runCode: TestSandbox['runCode'] = (code, args = {}, tenantId = 'tenant') => {
    const redirects = createFollowedRedirects();
    return sandbox.invoke({
      program: {
        tenantId,
        id: `program-${programs++}`,
        version: '1',
        load: () => Promise.resolve({ code, configuration: {}, hasApplication: false, returns: 'result' }),
      },
      args: JSON.stringify(args),
      milliseconds,
      serve: (call) =>
        outbound === undefined
          ? Promise.resolve({ failed: true, payload: '{"code":"ENOTFOUND","message":"nothing is there"}' })
          : fetchForCode({ outbound, budget: createAnswerBudget(), redirects }, { tenantId }, call),
    });
  };
  return {
    ...sandbox,
    runCode,
    rawOf: async (code, args, tenantId) => {
      const { outcome } = await runCode(code, args, tenantId);
      if (outcome.kind !== 'returned') throw new Error(JSON.stringify(outcome));
      return (JSON.parse(outcome.result) as { raw: unknown }).raw;
    },
  };
}
