import type { ShownToken } from '#access/showToken.ts';
import { recordUse } from '#commands/recordUse.ts';
import type { User } from '#commands/recordUse.ts';
import { holdsCardNumber } from '#domain/token/cardNumber.ts';
import type { Audit } from '#ports/audit.ts';
import type { Clock } from '#ports/clock.ts';
import type { Destination } from '#src/proxies/destination.ts';
import type { ProxyRequest } from '#src/proxies/message.ts';

export type PassageAudit = { audit: Audit; clock: Clock };

/**
 * Writes down that a request goes through a proxy, and which tokens go with it. Of a URL that the request named
 * itself, the host is told: nothing else would say where they went.
 * @throws AuditUnavailable
 */
export const recordPassage = (
  dependencies: PassageAudit,
  request: ProxyRequest,
  { tenantId, baseUrl, proxy }: Destination,
  tokens: readonly ShownToken[],
): Promise<void> =>
  recordUse(dependencies, userOf(request, tenantId), [
    {
      entityType: 'proxy',
      operation: 'invoke',
      entityId: proxy?.record.id ?? '',
      detail: proxy === undefined ? hostOf(baseUrl) : '',
    },
    ...tokens.map(({ token, transform }) => ({
      entityType: 'token' as const,
      operation: 'use' as const,
      entityId: token.id,
      detail: transform,
    })),
  ]);

function userOf({ caller, origin: { traceId, address } }: ProxyRequest, tenantId: string): User {
  if (caller === undefined) return { tenantId, actor: { type: 'anonymous', id: '' }, traceId, address };
  const { applicationId: id, keyId } = caller;
  return { tenantId, actor: { type: 'application', id }, keyId, traceId, address };
}

function hostOf(url: string): string {
  const { host } = new URL(url);
  return holdsCardNumber(host) ? '' : host;
}
