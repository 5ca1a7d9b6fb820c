import type { PayingConnection } from '#domain/connection/state.ts';
import type { PaymentProvider, ProviderConnection } from '#ports/paymentProvider.ts';
import { connectionFields, getConnection, getPayingConnection } from '#queries/connection/get.ts';
import { Conflicted, NotFound } from '#src/errors.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/** A provider, and the account there that a connection stands for. */
export type Gateway = { provider: PaymentProvider; account: ProviderConnection };

/** What it takes to call the provider of a connection. */
export async function gatewayOf(
  dependencies: PaymentDependencies,
  connection: PayingConnection,
): Promise<Gateway> {
  const provider = dependencies.paymentProviders(connection.formulaId);
  if (provider === undefined) throw new Error(`no provider serves ${connection.formulaId}`);
  const fields = await connectionFields(dependencies, connection);
  return { provider, account: { tenantId: connection.tenantId, fields } };
}

/**
 * The gateway that a transaction was begun through, to see through what is under way; undefined when its connection
 * was deleted, and its fields are gone.
 */
export async function findGateway(
  dependencies: PaymentDependencies,
  tenantId: string,
  connectionId: string,
): Promise<Gateway | undefined> {
  try {
    return await gatewayOf(dependencies, await getPayingConnection(dependencies, tenantId, connectionId));
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** The same for a further step. @throws Conflicted when the connection was deleted */
export async function openGateway(
  dependencies: PaymentDependencies,
  tenantId: string,
  connectionId: string,
): Promise<Gateway> {
  try {
    return await gatewayOf(dependencies, await getConnection(dependencies, tenantId, connectionId));
  } catch (error) {
    if (error instanceof NotFound) {
      throw new Conflicted('The connection of the transaction has been deleted.');
    }
    throw error;
  }
}
