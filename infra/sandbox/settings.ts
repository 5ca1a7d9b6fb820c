/** What bounds code of tenants, in one process of the service. Sizes in MB are of 1024² bytes. */
export type SandboxSettings = {
  /** Hosts, each of one tenant. Those that idle make room. */
  hosts: number;
  /** Hosts that wait for a tenant, so that its first call need not. */
  spareHosts: number;
  /** Invocations at a time. */
  concurrency: number;
  tenantConcurrency: number;
  /** Invocations that wait for room, of a tenant; beyond, and after {@link patience}, it is busy. */
  tenantQueue: number;
  /** Milliseconds. */
  patience: number;
  /** A host that nobody calls for this long is ended, in milliseconds. */
  idleMilliseconds: number;
  /** Of the heap of one isolate. */
  isolateMegabytes: number;
  /** Of a host with all that is in it, beyond which it is killed. */
  hostMegabytes: number;
  /** Of all hosts together, beyond which idle ones are ended, and then the largest. */
  totalMegabytes: number;
  /** A context serves so many calls of one reactor; 1: a fresh one for each. */
  contextCalls: number;
  /** Code runs also where nothing keeps an escaped one from the service's files, sockets and memory. */
  runsUnconfined: boolean;
};

export const defaultSandboxSettings: SandboxSettings = {
  hosts: 32,
  spareHosts: 1,
  concurrency: 32,
  tenantConcurrency: 8,
  tenantQueue: 100,
  patience: 2_000,
  idleMilliseconds: 120_000,
  isolateMegabytes: 128,
  hostMegabytes: 768,
  totalMegabytes: 2_048,
  contextCalls: 500,
  runsUnconfined: true,
};

/** What a host is told on its command line. */
export type HostSettings = Pick<SandboxSettings, 'isolateMegabytes' | 'contextCalls'> & {
  /** Isolates that are kept while they idle. */
  idleIsolates: number;
  /** See the kernel's. */
  resultLength: number;
  thrownLength: number;
  logLines: number;
  logLength: number;
  pending: number;
};
