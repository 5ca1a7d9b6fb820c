import { callProvider } from '#infra/providers/http/callProvider.ts';
import type { ProviderAnswer } from '#infra/providers/http/callProvider.ts';
import type { HttpProviderSettings } from '#infra/providers/http/settings.ts';
import type { NotDone, Unauthorized, Unknown } from '#ports/paymentOutcome.ts';
import type { ProviderConnection } from '#ports/paymentProvider.ts';

/** Of the Checkout API; it stands in every path. */
export const adyenVersion = 'v71';

export type Reply = ProviderAnswer | NotDone | Unknown | Unauthorized;
export type AdyenHttp = {
  /** @param key missing for what may be done any number of times */
  post(connection: ProviderConnection, path: string, body: object, key?: string): Promise<Reply>;
};

/** Source: https://docs.adyen.com/development-resources/live-endpoints, .../api-idempotency. */
export function createAdyenHttp(settings: HttpProviderSettings): AdyenHttp {
  const { outbound, clock, timeoutMilliseconds = 30_000 } = settings;
  return {
    post: async (connection, path, body, key) => {
      const base = settings.baseUrl ?? publicBaseUrl(connection.fields['live_endpoint_prefix'] ?? '');
      if (base === undefined) return { status: 'unauthorized', errorCode: 'invalid_service_credentials' };
      return callProvider(
        outbound,
        {
          tenantId: connection.tenantId,
          url: `${base}/${adyenVersion}${path}`,
          method: 'POST',
          headers: [
            ['X-API-Key', connection.fields['api_key'] ?? ''],
            ['Content-Type', 'application/json'],
            ...(key === undefined ? [] : [['Idempotency-Key', key] as const]),
          ],
          body: Buffer.from(JSON.stringify(body)),
          limits: { totalMilliseconds: timeoutMilliseconds },
        },
        connection.fields['api_key'] ?? '',
        () => clock.now(),
      );
    },
  };
}

/** A prefix is part of a host name: anything else in it would send the key somewhere else. */
function publicBaseUrl(prefix: string): string | undefined {
  if (prefix === '') return 'https://checkout-test.adyen.com';
  if (!/^[a-z0-9-]{1,100}$/i.test(prefix)) return undefined;
  return `https://${prefix}-checkout-live.adyenpayments.com/checkout`;
}
