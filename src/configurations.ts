import type { Vault } from '#ports/vault.ts';
import { withPayloads } from '#src/payloads.ts';
import { reactorStream } from '#domain/reactor/events.ts';

/** Texts by name, for the code of a reactor to read. They lie in the vault, and no event holds any. */
export type Configuration = Readonly<Record<string, string>>;

/** A record, and its configuration. */
export type WithConfiguration<Item> = { record: Item; configuration: Configuration };

/** A reactor. */
type Configured = { tenantId: string; id: string; payloadId: string };

/**
 * Records of one tenant with their configurations, in their order. A record whose configuration the vault has
 * forgotten was deleted or changed a moment ago, and is left out.
 * @throws StoreUnavailable, IntegrityError
 */
export async function withConfigurations<Item extends Configured>(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  records: readonly Item[],
): Promise<WithConfiguration<Item>[]> {
  const found = await withPayloads(vault, tenantId, records, reactorStream);
  return found.map(({ record, data }) => ({ record, configuration: data as Configuration }));
}

/** {@link withConfigurations} for one; undefined when the vault has forgotten its configuration. */
export async function withConfiguration<Item extends Configured>(
  vault: Pick<Vault, 'read'>,
  record: Item,
): Promise<WithConfiguration<Item> | undefined> {
  return (await withConfigurations(vault, record.tenantId, [record]))[0];
}
