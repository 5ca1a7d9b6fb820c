import type { LiveConnection } from '#domain/connection/state.ts';
import type { PaymentProvider, ProviderConnection } from '#ports/paymentProvider.ts';
import { connectionFields, getConnection } from '#queries/connection/get.ts';
import { Conflicted, NotFound } from '#src/errors.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/** A provider, and the account there that a connection stands for. */
export type Gateway = { provider: PaymentProvider; account: ProviderConnection };

/** What it takes to call the provider of a connection. */
export async function gatewayOf(
  dependencies: PaymentDependencies,
  connection: LiveConnection,
): Promise<Gateway> {
  const provider = dependencies.paymentProviders(connection.formulaId);
  if (provider === undefined) throw new Error(`no provider serves ${connection.formulaId}`);
  const fields = await connectionFields(dependencies, connection);
  return { provider, account: { tenantId: connection.tenantId, fields } };
}

/** The gateway that a transaction was begun through; undefined when its connection was deleted. */
export async function findGateway(
  dependencies: PaymentDependencies,
  tenantId: string,
  connectionId: string,
): Promise<Gateway | undefined> {
  try {
    return await gatewayOf(dependencies, await getConnection(dependencies, tenantId, connectionId));
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** {@link findGateway}. @throws Conflicted when the connection was deleted */
export async function openGateway(
  dependencies: PaymentDependencies,
  tenantId: string,
  connectionId: string,
): Promise<Gateway> {
  const gateway = await findGateway(dependencies, tenantId, connectionId);
  if (gateway === undefined) throw new Conflicted('The connection of the transaction has been deleted.');
  return gateway;
}
