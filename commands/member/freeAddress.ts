import { isPast } from '#src/expiry.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { isInvitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import { comparableEmailAddress } from '#domain/member/emailAddress.ts';
import { memberFold } from '#domain/member/state.ts';
import { Conflicted } from '#src/errors.ts';

/** An invitation of an address that is to get another one. */
export type Pending = { id: string; stream: string };

/** By this an address is found in the vault, where it is encrypted. */
export const addressFingerprint = (
  { vault }: Pick<CommandDependencies, 'vault'>,
  tenantId: string,
  email: string,
): Promise<string> => vault.fingerprint(tenantId, 'email_address', comparableEmailAddress(email));

/**
 * Runs what gives an email address an invitation, and lets nobody else do that meanwhile.
 * @param ownStream the stream of the invitation that may have the address already
 * @param address `replaces`: called with another pending invitation of the address, which is otherwise a conflict
 * @param run calls `confirm` right before it appends: who took too long has lost the address
 * @throws Conflicted when the address has another pending invitation, or is that of a member
 */
export async function whileFree<Result>(
  dependencies: CommandDependencies,
  { tenantId, commandId }: CommandContext,
  address: { email: string; ownStream: string; replaces?: (pending: Pending) => Promise<unknown> },
  run: (fingerprint: string, confirm: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { fingerprintClaims } = dependencies;
  const fingerprint = await addressFingerprint(dependencies, tenantId, address.email);
  const beingInvited = 'Another request is inviting this email address: try again.';
  if (!(await fingerprintClaims.take(tenantId, fingerprint, commandId))) throw new Conflicted(beingInvited);
  const confirm = async (): Promise<void> => {
    if (!(await fingerprintClaims.confirm(tenantId, [fingerprint], commandId))) {
      throw new Conflicted(beingInvited);
    }
  };
  try {
    await refuseTaken(dependencies, tenantId, fingerprint, address);
    return await run(fingerprint, confirm);
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
  { ownStream, replaces }: { ownStream: string; replaces?: (pending: Pending) => Promise<unknown> },
): Promise<void> {
  const pending: Pending[] = [];
  for (const { id, stream } of await vault.findByFingerprint(tenantId, fingerprint)) {
    if (stream === ownStream) continue;
    if (isInvitationStream(stream)) {
      const { state } = await loadStream(log, stream, invitationFold);
      if (state.status === 'open' && !isPast(state.expiresAt, clock)) {
        if (replaces === undefined) {
          throw new Conflicted(
            `This email address has a pending invitation, ${state.id}: resend that one, or delete it first.`,
          );
        }
        pending.push({ id: state.id, stream });
      }
    } else {
      const { state } = await loadStream(log, stream, memberFold);
      if (state.status === 'live' && state.payloadId === id) {
        throw new Conflicted(`This email address is that of a member already, ${state.id}.`);
      }
    }
  }
  // Not before it is known that the address is nobody's: a request that is refused takes nothing away.
  for (const one of pending) await replaces?.(one);
}
