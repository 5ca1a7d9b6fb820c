import type { AccessDirectory } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { Outbound } from '#ports/outbound.ts';
import type {
  CodeCall,
  CodeCallAnswer,
  Invocation,
  ProgramContent,
  Sandbox,
  SandboxResult,
} from '#ports/sandbox.ts';
import { createAnswerBudget } from '#src/reactors/answerBudget.ts';
import type { BindBt, Bt } from '#src/reactors/bt.ts';
import { createFollowedRedirects } from '#src/reactors/followedRedirects.ts';
import type { FollowedRedirects } from '#src/reactors/followedRedirects.ts';
import { callForCode, fetchForCode } from '#src/reactors/outside.ts';

export type RunCodeDependencies = {
  sandbox: Sandbox;
  outbound: Outbound;
  bt: BindBt;
  accessDirectory: Pick<AccessDirectory, 'ofApplication'>;
};

/** Code of a tenant, and whose rights it is lent. */
export type TenantCode = {
  tenantId: string;
  /** Whose code it is. */
  id: string;
  /** Another one whenever code, configuration or application has changed. */
  version: string;
  applicationId: string | undefined;
  /** The reactor or proxy that it belongs to. */
  onBehalfOf: readonly string[];
  load(): Promise<Omit<ProgramContent, 'hasApplication'>>;
};

export type CodeRun = {
  /** JSON of `req.args`; undefined: the code is only loaded. */
  args: string | undefined;
  /** See {@link Invocation.isMessage}. */
  isMessage?: Invocation['isMessage'];
  milliseconds: number;
  origin: Origin;
  /** Puts something around `req.bt` that sees what code calls. */
  watch?: (bt: Bt) => Bt;
  patient?: boolean | undefined;
};

/** Runs code of tenants: what it asks of the outside is carried out here. @throws what `load` throws */
export type RunCode = (code: TenantCode, run: CodeRun) => Promise<SandboxResult>;

export function createRunCode({ sandbox, outbound, bt, accessDirectory }: RunCodeDependencies): RunCode {
  const budget = createAnswerBudget();

  /** Without its application when that is gone, which makes another program of it. */
  const lent = async (code: TenantCode): Promise<TenantCode> => {
    const { tenantId, applicationId, version } = code;
    if (applicationId === undefined) return code;
    const bounded = { ...code, onBehalfOf: [...code.onBehalfOf, applicationId] };
    if ((await accessDirectory.ofApplication(tenantId, applicationId)) !== undefined) return bounded;
    return { ...bounded, applicationId: undefined, version: `${version} alone` };
  };
  const serve = async (
    call: CodeCall,
    { tenantId, applicationId, onBehalfOf }: TenantCode,
    { origin, watch = (bt) => bt }: CodeRun,
    redirects: FollowedRedirects,
  ): Promise<CodeCallAnswer> => {
    try {
      if (call.kind === 'fetch') {
        return await fetchForCode({ outbound, budget, redirects }, { tenantId, onBehalfOf }, call);
      }
      if (applicationId === undefined) throw new Error('there is no application');
      const own = bt({ tenantId, applicationId }, { ...origin, depth: origin.depth + 1 });
      return await callForCode(watch(own), call);
    } catch {
      return {
        failed: true,
        payload: JSON.stringify({ code: 'ECONNRESET', message: 'The call could not be made.' }),
      };
    }
  };

  return async (given, run) => {
    const { args, isMessage, milliseconds, origin, patient } = run;
    const code = await lent(given);
    const { tenantId, id, version, applicationId } = code;
    const load = async (): Promise<ProgramContent> => ({
      ...(await code.load()),
      hasApplication: applicationId !== undefined,
    });
    const redirects = createFollowedRedirects();
    return sandbox.invoke({
      program: { tenantId, id, version, load },
      args,
      ...(isMessage === undefined ? {} : { isMessage }),
      milliseconds,
      depth: origin.depth,
      ...(patient === undefined ? {} : { patient }),
      serve: (call) => serve(call, code, run, redirects),
    });
  };
}
