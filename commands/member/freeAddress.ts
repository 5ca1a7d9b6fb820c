import { isPast } from '#src/expiry.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { isInvitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import { comparableEmailAddress } from '#domain/member/emailAddress.ts';
import { memberFold } from '#domain/member/state.ts';
import { Conflicted } from '#src/errors.ts';

/** By this an address is found in the vault, where it is encrypted. */
export const addressFingerprint = (
  { vault }: Pick<CommandDependencies, 'vault'>,
  tenantId: string,
  email: string,
): Promise<string> => vault.fingerprint(tenantId, 'email_address', comparableEmailAddress(email));

/**
 * Runs what gives an email address an invitation, and lets nobody else do that meanwhile.
 * @param ownStream the stream of the invitation that may have the address already
 * @throws Conflicted when the address has another pending invitation, or is that of a member
 */
export async function whileFree<Result>(
  dependencies: CommandDependencies,
  { tenantId, commandId }: CommandContext,
  address: { email: string; ownStream: string },
  run: (fingerprint: string) => Promise<Result>,
): Promise<Result> {
  const { fingerprintClaims } = dependencies;
  const fingerprint = await addressFingerprint(dependencies, tenantId, address.email);
  if (!(await fingerprintClaims.take(tenantId, fingerprint, commandId))) {
    throw new Conflicted('Another request is inviting this email address: try again.');
  }
  try {
    await refuseTaken(dependencies, tenantId, fingerprint, address.ownStream);
    return await run(fingerprint);
  } finally {
    // A claim that is not given up runs out by itself.
    await fingerprintClaims.release(tenantId, fingerprint, commandId).catch(() => undefined);
  }
}

/** The views may be behind, so the streams are asked. */
async function refuseTaken(
  { vault, log, clock }: CommandDependencies,
  tenantId: string,
  fingerprint: string,
  ownStream: string,
): Promise<void> {
  for (const { id, stream } of await vault.findByFingerprint(tenantId, fingerprint)) {
    if (stream === ownStream) continue;
    if (isInvitationStream(stream)) {
      const { state } = await loadStream(log, stream, invitationFold);
      if (state.status === 'open' && !isPast(state.expiresAt, clock)) {
        throw new Conflicted(
          `This email address has a pending invitation, ${state.id}: resend that one, or delete it first.`,
        );
      }
    } else {
      const { state } = await loadStream(log, stream, memberFold);
      if (state.status === 'live' && state.payloadId === id) {
        throw new Conflicted(`This email address is that of a member already, ${state.id}.`);
      }
    }
  }
}
