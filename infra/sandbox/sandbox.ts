import { existsSync } from 'node:fs';
import { createAdmission } from '#infra/sandbox/admission.ts';
import type { Admission } from '#infra/sandbox/admission.ts';
import { confinement } from '#infra/sandbox/confinement.ts';
import type { Confinement } from '#infra/sandbox/confinement.ts';
import { packPath } from '#infra/sandbox/host/modules/pack.ts';
import { createHosts } from '#infra/sandbox/hosts.ts';
import { defaultSandboxSettings } from '#infra/sandbox/settings.ts';
import type { SandboxSettings } from '#infra/sandbox/settings.ts';
import type { Logger } from '#ports/logger.ts';
import type { Invocation, Sandbox, SandboxResult } from '#ports/sandbox.ts';

export type RunningSandbox = Sandbox & {
  /** Starts what shall wait for the first call. Without it, the first call waits. */
  prepare(): void;
};

const busy: SandboxResult = { outcome: { kind: 'busy' }, logs: [] };
const unconfined: SandboxResult = { outcome: { kind: 'unconfined' }, logs: [] };

export type SandboxParts = { confine: () => Pick<Confinement, 'isComplete' | 'keepsPrivileges'> };

/** Runs code of tenants in isolates, the isolates of a tenant in a process of their own (decision 31). */
export function createSandbox(
  settings: Partial<SandboxSettings>,
  logger: Logger,
  { confine }: SandboxParts = { confine: confinement },
): RunningSandbox {
  const all = { ...defaultSandboxSettings, ...settings, confine };
  // Code that waits for other code must not wait for its own place.
  const admissions: Admission[] = [];
  const admissionAt = (depth: number): Admission => (admissions[depth] ??= createAdmission(all));
  const hosts = createHosts(all, logger);
  const mayRun = onlyOnce(() => allows(all, logger));
  if (!existsSync(packPath)) {
    logger.warn({ path: packPath }, 'packages for code of tenants are missing: run `npm run packages`');
  }

  const run = async (invocation: Invocation): Promise<SandboxResult> => {
    let host = hosts.of(invocation.program.tenantId);
    // It may be about to be killed, with all that runs in it.
    await host?.quiet();
    if (host?.alive === false) host = hosts.of(invocation.program.tenantId);
    return host?.run(invocation) ?? busy;
  };

  return {
    prepare: () => {
      if (mayRun()) hosts.prepare();
    },
    invoke: async (invocation) => {
      if (!mayRun()) return unconfined;
      const leave = await admissionAt(invocation.depth ?? 0).enter(invocation.program.tenantId, invocation);
      if (leave === undefined) return busy;
      try {
        return await run(invocation);
      } finally {
        leave();
      }
    },
    close: () => hosts.close(),
  };
}

/** Whether code may run here, and says what the machine lacks. */
function allows({ runsUnconfined, confine }: SandboxSettings & SandboxParts, logger: Logger): boolean {
  const { isComplete, keepsPrivileges } = confine();
  if (!keepsPrivileges) {
    logger.warn({}, 'hosts could gain privileges: install setpriv (util-linux) or bwrap (bubblewrap)');
  }
  if (isComplete) return true;
  const remedy = 'install bwrap (bubblewrap) and allow it user namespaces, see docs/reactors.md';
  if (runsUnconfined) {
    logger.warn({ remedy }, 'native code in a host could reach the files and sockets of the service');
  } else {
    logger.error({ remedy }, 'code of tenants does not run: nothing here confines it');
  }
  return runsUnconfined;
}

function onlyOnce<Answer>(ask: () => Answer): () => Answer {
  let answer: { is: Answer } | undefined;
  return () => (answer ??= { is: ask() }).is;
}
