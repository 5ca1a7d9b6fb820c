import type { Json } from '#ports/json.ts';
import type { Vault } from '#ports/vault.ts';
import { NotFound } from '#src/errors.ts';
import { withPayloads } from '#src/payloads.ts';

/** What is known of somebody. It lies in the vault, and no event holds any of it. */
export type Person = { email: string; firstName: string | undefined; lastName: string | undefined };

/** A record, and whom it is about. */
export type WithPerson<Item> = { record: Item; person: Person };

type Described = { tenantId: string; id: string; payloadId: string };
/** Names the stream of a record by its id: a member's or an invitation's. */
type StreamOf = (tenantId: string, id: string) => string;
type Stored = { email: string; first_name: string | null; last_name: string | null };

/** A person as the vault keeps one. */
export const personPayload = ({ email, firstName, lastName }: Person): Stored => ({
  email,
  first_name: firstName ?? null,
  last_name: lastName ?? null,
});

/**
 * Records of one tenant with their persons, in their order. A record whose person the vault has forgotten was
 * deleted a moment ago, and is left out.
 * @throws StoreUnavailable, IntegrityError
 */
export async function withPeople<Item extends Described>(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  records: readonly Item[],
  streamOf: StreamOf,
): Promise<WithPerson<Item>[]> {
  const found = await withPayloads(vault, tenantId, records, streamOf);
  return found.map(({ record, data }) => ({ record, person: personOf(data) }));
}

/** {@link withPeople} for one. @throws NotFound when the vault has forgotten the person */
export async function withPerson<Item extends Described>(
  vault: Pick<Vault, 'read'>,
  record: Item,
  streamOf: StreamOf,
): Promise<WithPerson<Item>> {
  const [found] = await withPeople(vault, record.tenantId, [record], streamOf);
  if (found === undefined) throw new NotFound();
  return found;
}

function personOf(data: Json): Person {
  const { email, first_name, last_name } = data as Stored;
  return { email, firstName: first_name ?? undefined, lastName: last_name ?? undefined };
}
