import type { SandboxSettings } from '#infra/sandbox/settings.ts';
import type { Config } from '#src/config.ts';

/** A context that is used again is made anew from time to time, for what code leaves behind in it. */
const callsOfContext = 500;

/** What one of the API processes may take of what the machine's settings allow. */
export function sandboxSettings(config: Config): Partial<SandboxSettings> {
  const share = (whole: number): number => Math.ceil(whole / config.processes);
  return {
    hosts: Math.max(2, share(config.reactorHosts)),
    concurrency: share(config.reactorMachineConcurrency),
    tenantConcurrency: share(config.reactorConcurrency),
    isolateMegabytes: config.reactorMemory,
    // Isolates that are busy, one that is ready, and the process itself.
    hostMegabytes: 256 + 4 * config.reactorMemory,
    runsUnconfined: config.unconfinedReactors === 'accept' || !config.production,
    contextCalls: config.reactorContexts === 'fresh' ? 1 : callsOfContext,
  };
}
