import { invitationLifetime } from '#domain/invitation/decide.ts';
import type { Clock } from '#ports/clock.ts';

/** When an invitation that is created or resent now expires, as ISO 8601: in seven days. */
export const invitationExpiry = (clock: Clock): string =>
  new Date(clock.now().getTime() + invitationLifetime).toISOString();
