import { attachHost } from '#infra/sandbox/host.ts';
import type { Host } from '#infra/sandbox/host.ts';
import { logLimits } from '#infra/sandbox/hostCall.ts';
import { launchHost } from '#infra/sandbox/launch.ts';
import { watchMemory } from '#infra/sandbox/memoryWatch.ts';
import type { HostSettings, SandboxSettings } from '#infra/sandbox/settings.ts';
import type { Logger } from '#ports/logger.ts';

export type Hosts = {
  /** Makes the spare ones. */
  prepare(): void;
  /** The host of a tenant; undefined when all there may be are busy with others. */
  of(tenantId: string): Host | undefined;
  close(): Promise<void>;
};

/** See the kernel's limits: what users of a request and its answer would not notice. */
const kernelLimits = {
  resultLength: 5 * 1024 * 1024,
  thrownLength: 5 * 1024 * 1024,
  ...logLimits,
  pending: 100,
};
const idleIsolates = 16;
/** A new spare waits until the call that took the last one is likely answered, in milliseconds. */
const spareDelay = 50;
const idleCheckInterval = 5_000;

/** The host processes of this process: one a tenant, and some that wait for one. */
export function createHosts(settings: SandboxSettings, logger: Logger): Hosts {
  const byTenant = new Map<string, Host>();
  const spares: Host[] = [];
  const all = new Set<Host>();
  let closed = false;

  const make = (): Host => {
    const { isolateMegabytes, contextCalls } = settings;
    const hostSettings: HostSettings = {
      ...kernelLimits,
      isolateMegabytes,
      contextCalls,
      idleIsolates,
    };
    const host = attachHost(launchHost(hostSettings), (reason, lastWords) => {
      const tenantId = tenantOf(host);
      // What a host says that has run code may hold anything.
      const words = tenantId === undefined ? { last_words: lastWords } : {};
      logger.warn({ tenant_id: tenantId, reason, ...words }, 'a reactor host ended and is replaced');
    });
    all.add(host);
    void host.ended.then(() => {
      forget(host);
    });
    return host;
  };
  const tenantOf = (host: Host): string | undefined => [...byTenant].find(([, other]) => other === host)?.[0];
  const forget = (host: Host): void => {
    all.delete(host);
    const at = spares.indexOf(host);
    if (at >= 0) spares.splice(at, 1);
    const tenantId = tenantOf(host);
    if (tenantId !== undefined) byTenant.delete(tenantId);
  };
  const retire = (host: Host): void => {
    forget(host);
    host.kill('retired');
  };
  const idleLongest = (): Host | undefined =>
    [...byTenant.values()]
      .filter((host) => host.callsUnderWay === 0)
      .sort((one, other) => one.usedAt - other.usedAt)[0];
  const prepare = (): void => {
    if (closed) return;
    while (spares.length < settings.spareHosts && all.size < settings.hosts) spares.push(make());
  };
  const prepareSoon = (): void => {
    setTimeout(prepare, spareDelay).unref();
  };

  const idleCheck = setInterval(() => {
    const longAgo = performance.now() - settings.idleMilliseconds;
    for (const host of byTenant.values()) {
      if (host.callsUnderWay === 0 && host.usedAt < longAgo) retire(host);
    }
  }, idleCheckInterval);
  idleCheck.unref();
  const memory = watchMemory(settings, { all: () => [...all], idleLongest, retire });

  return {
    prepare,
    of: (tenantId) => {
      const known = byTenant.get(tenantId);
      if (known?.alive === true) return known;
      if (closed) return undefined;
      let host = spares.shift();
      if (host === undefined && all.size >= settings.hosts) {
        const idle = idleLongest();
        if (idle === undefined) return undefined;
        retire(idle);
      }
      host ??= make();
      byTenant.set(tenantId, host);
      prepareSoon();
      return host;
    },
    close: async () => {
      closed = true;
      clearInterval(idleCheck);
      memory.stop();
      const hosts = [...all];
      for (const host of hosts) host.kill('retired');
      await Promise.all(hosts.map(({ ended }) => ended));
    },
  };
}
