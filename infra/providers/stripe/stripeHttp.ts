import { callProvider } from '#infra/providers/http/callProvider.ts';
import type { ProviderAnswer } from '#infra/providers/http/callProvider.ts';
import type { HttpProviderSettings } from '#infra/providers/http/settings.ts';
import { encodeForm } from '#infra/providers/stripe/form.ts';
import type { Form } from '#infra/providers/stripe/form.ts';
import type { NotDone, Unknown } from '#ports/paymentOutcome.ts';
import type { ProviderConnection } from '#ports/paymentProvider.ts';

/** Answers change their shape with it; it is raised together with what reads them. */
export const stripeVersion = '2024-06-20';

export type StripeHttp = {
  post(connection: ProviderConnection, path: string, form: Form, key: string): Promise<Reply>;
  get(connection: ProviderConnection, path: string, query?: Form): Promise<Reply>;
};
export type Reply = ProviderAnswer | NotDone | Unknown;

/** Source: https://docs.stripe.com/api (authentication, idempotent requests, versioning). */
export function createStripeHttp(settings: HttpProviderSettings): StripeHttp {
  const { outbound, clock, baseUrl = 'https://api.stripe.com', timeoutMilliseconds = 30_000 } = settings;
  const call = (
    { tenantId, fields }: ProviderConnection,
    rest: { url: string; method: string; headers: [string, string][]; body?: Uint8Array },
  ): Promise<Reply> =>
    callProvider(
      outbound,
      {
        ...rest,
        tenantId,
        headers: [
          ['Authorization', `Bearer ${fields['private_key'] ?? ''}`],
          ['Stripe-Version', stripeVersion],
          ...rest.headers,
        ],
        limits: { totalMilliseconds: timeoutMilliseconds },
      },
      fields['private_key'] ?? '',
      () => clock.now(),
    );

  return {
    post: (connection, path, form, key) =>
      call(connection, {
        url: `${baseUrl}${path}`,
        method: 'POST',
        headers: [
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Idempotency-Key', key],
        ],
        body: Buffer.from(encodeForm(form)),
      }),
    get: (connection, path, query = {}) => {
      const search = encodeForm(query);
      const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
      return call(connection, { url, method: 'GET', headers: [] });
    },
  };
}
