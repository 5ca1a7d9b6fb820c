import type { FieldValues } from '#domain/connection/input.ts';
import type { PayingConnection } from '#domain/connection/state.ts';
import type { Vault } from '#ports/vault.ts';
import { withPayloads } from '#src/payloads.ts';
import { connectionStream } from '#domain/connection/events.ts';

/**
 * The fields of a connection, secret ones too: for the time of a call. Undefined when the vault has forgotten them,
 * as the connection was changed or deleted a moment ago.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function fieldsIn(
  vault: Pick<Vault, 'read'>,
  connection: PayingConnection,
): Promise<FieldValues | undefined> {
  const [found] = await withPayloads(vault, connection.tenantId, [connection], connectionStream);
  return found?.data as FieldValues | undefined;
}
