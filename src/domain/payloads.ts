/** An event as far as it speaks of payloads of the vault. */
type Mentioning = { type: string; data: object };

/** What is kept until an event says that it went; other payloads go by time. */
export const payloadBringing = [
  'token.created',
  'token.updated',
  'reactor.created',
  'reactor.updated',
  'connection.created',
  'connection.updated',
  'proxy.created',
  'proxy.updated',
  'webhook.created',
  'webhook.updated',
  'webhook.secret.rotated',
  'tenant.member.created',
  'tenant.invitation.created',
] as const;

/** After these, nothing of what they name is kept. */
const ending = new Set([
  'token.deleted',
  'token.expired',
  'reactor.deleted',
  'connection.deleted',
  'proxy.deleted',
  'webhook.deleted',
  'tenant.member.deleted',
  'tenant.invitation.accepted',
  'tenant.invitation.deleted',
]);

/** The payloads that an event of {@link payloadBringing} refers to from then on. */
export const payloadsBroughtBy = ({ data }: Mentioning): string[] =>
  [member(data, 'payload_id'), member(data, 'secret_id')].filter((id) => id !== undefined);

/** Whether some event of the payload's stream says that it is not kept any more. */
export const isForgotten = (payloadId: string, events: readonly Mentioning[]): boolean =>
  events.some(({ type, data }) => {
    if (member(data, 'previous_payload_id') === payloadId) return true;
    if (member(data, 'forgotten_secret_id') === payloadId) return true;
    // A uuid stands nowhere by chance.
    return ending.has(type) && JSON.stringify(data).includes(payloadId);
  });

/** Whether an event refers to a payload: of its members, what clients write stands deeper, or in none of these. */
export const refersTo = (payloadId: string, { data }: Pick<Mentioning, 'data'>): boolean =>
  Object.entries(data).some(
    ([name, value]) => /(?:^|_)(?:payload|secret)_id$/.test(name) && value === payloadId,
  );

function member(data: object, name: string): string | undefined {
  const value: unknown = (data as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
