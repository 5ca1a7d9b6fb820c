import type { LiveProxy } from '#domain/proxy/state.ts';
import type { Json } from '#ports/json.ts';
import type { Vault } from '#ports/vault.ts';
import type { Configuration } from '#src/configurations.ts';
import { withPayloads } from '#src/payloads.ts';
import { proxyStream } from '#domain/proxy/events.ts';

/** What of a proxy lies in the vault: a URL may hold credentials, too. */
export type ProxySecrets = { key: string; destinationUrl: string; configuration: Configuration };

export type ProxyWithSecrets = { record: LiveProxy; secrets: ProxySecrets };

/** As the vault keeps it. */
export const storedSecrets = ({ key, destinationUrl, configuration }: ProxySecrets): Json => ({
  key,
  destination_url: destinationUrl,
  configuration,
});

type Stored = { key: string; destination_url: string; configuration: Configuration };

/**
 * Proxies of one tenant with their secrets, in their order. One whose payload the vault has forgotten was deleted or
 * changed a moment ago, and is left out.
 * @throws StoreUnavailable, IntegrityError
 */
export async function withSecrets(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  proxies: readonly LiveProxy[],
): Promise<ProxyWithSecrets[]> {
  const found = await withPayloads(vault, tenantId, proxies, proxyStream);
  return found.map(({ record, data }) => {
    const { key, destination_url: destinationUrl, configuration } = data as Stored;
    return { record, secrets: { key, destinationUrl, configuration } };
  });
}

/** {@link withSecrets} of one; undefined when the vault has forgotten them. */
export async function withSecretsOf(
  vault: Pick<Vault, 'read'>,
  proxy: LiveProxy,
): Promise<ProxyWithSecrets | undefined> {
  return (await withSecrets(vault, proxy.tenantId, [proxy]))[0];
}
