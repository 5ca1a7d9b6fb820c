import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import { checkOrigins } from '#commands/application/origins.ts';
import { checkRights } from '#commands/application/rights.ts';
import type { RightsInput } from '#commands/application/rights.ts';
import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { updateApplication as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';
import { parseExpiry } from '#domain/token/expiry.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';

/** What cannot be changed may be given as it is, by clients that send back what they read. */
export type ApplicationUpdate = RightsInput & { type?: string | null; expires_at?: string | null };

/**
 * Replaces the name, and permissions and rules together: where neither is given, both stay, as type, expiry and keys
 * do. spec: Update Application
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  input: ApplicationUpdate,
): Promise<Outcome<LiveApplication>> {
  const executed = await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, id),
    fold: applicationFold,
    decide: (state) => {
      const application = liveApplication(state, dependencies.clock);
      requireUnchanged(application, input);
      const faults = new FaultList();
      const kept = {
        publicFingerprints: input.public_fingerprints ?? application.publicFingerprints,
        origins: isAbsent(input.origins)
          ? application.origins
          : checkOrigins(application.type, input.origins, faults),
      };
      const keepsRights = isAbsent(input.permissions) && isAbsent(input.rules);
      const rights = keepsRights ? application : checkRights(application.type, input, faults);
      if (faults.any) throw new ValidationFailed(faults.faults);
      return decide(state, { ...rights, name: input.name, ...kept });
    },
  });
  if (executed.state.status !== 'live') throw new NotFound();
  return settle(dependencies, executed.position, executed.state);
}

/** @throws ValidationFailed: an application that lives longer than its request says would be no good answer */
function requireUnchanged({ type, expiresAt }: LiveApplication, input: ApplicationUpdate): void {
  const faults = new FaultList();
  if (input.type && input.type !== type) {
    faults.add('type', `cannot be changed: it must be ${type}, or absent`);
  }
  if (input.expires_at && !areSameTime(parseExpiry(input.expires_at), expiresAt)) {
    faults.add('expires_at', `cannot be changed: it must be ${expiresAt ?? 'null'}, or absent`);
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
}

const areSameTime = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && Date.parse(one) === Date.parse(other);

const isAbsent = (rights: readonly unknown[] | null | undefined): boolean =>
  rights === undefined || rights === null;
