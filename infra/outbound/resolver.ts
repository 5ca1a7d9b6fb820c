import { Resolver as DnsResolver, lookup } from 'node:dns/promises';

/** Finds the addresses of names. Both answer an empty list for a name that has none. */
export interface Resolver {
  /** By the domain name system alone. Gives up when the signal says so. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
  /** As this machine knows it, with its hosts file and search domains: for names that the operator wrote down. */
  resolveHere(name: string): Promise<string[]>;
}

/** For one try, of two, at each name server. */
const triesOfMilliseconds = 2_000;

/**
 * Names of tenants do not go through getaddrinfo: its calls cannot be given up and occupy the four threads that files
 * and cryptography need, too, so that a name server that never answers would stop the whole process.
 * @param nameServers by default those of the machine
 */
export const createSystemResolver = (nameServers?: readonly string[]): Resolver => ({
  resolve: async (name, signal) => {
    // A new one for each call: it reads the machine's name servers, and giving up ends all that it was asked.
    const resolver = new DnsResolver({ timeout: triesOfMilliseconds, tries: 2 });
    if (nameServers !== undefined) resolver.setServers(nameServers);
    const cancel = (): void => {
      resolver.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // With a final dot: the name is whole, and no search domain is put after it.
      const families = await Promise.allSettled([
        resolver.resolve4(`${name}.`),
        resolver.resolve6(`${name}.`),
      ]);
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
  resolveHere: async (name) => {
    const found = await lookup(name, { all: true, order: 'ipv4first' }).catch(() => []);
    return found.map(({ address }) => address);
  },
});
