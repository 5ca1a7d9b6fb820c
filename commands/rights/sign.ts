import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { Decided, DomainEvent } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import { proxyFold } from '#domain/proxy/state.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import { sessionFold } from '#domain/session/state.ts';
import { tenantFold } from '#domain/tenant/state.ts';

export type SignedKind = {
  /** The category of its streams, and the first word of its events. */
  name: string;
  fold: Fold<unknown, DomainEvent>;
  /** The types of events after which there is nothing to sign. */
  ends: readonly string[];
};

const kind = <State, Event extends DomainEvent>(
  name: string,
  fold: Fold<State, Event>,
  ...ends: readonly string[]
): SignedKind => ({ name, fold: fold as unknown as Fold<unknown, DomainEvent>, ends });

/** Whatever decides access, and is signed for that. */
export const signedKinds: readonly SignedKind[] = [
  kind('tenant', tenantFold, 'tenant.deleted'),
  kind('application', applicationFold, 'application.deleted'),
  kind('session', sessionFold, 'session.expired'),
  kind('proxy', proxyFold, 'proxy.deleted'),
  kind('reactor', reactorFold, 'reactor.deleted'),
];

/** Signs the rights that a stream leaves, as they are: for those of before anything was signed. */
export async function signRights(
  dependencies: CommandDependencies,
  context: CommandContext,
  { name, fold }: SignedKind,
  subject: { stream: string; id: string },
): Promise<void> {
  await execute(dependencies, context, {
    stream: subject.stream,
    fold,
    trustsAnything: true,
    decide: (state) => {
      if (fold.signed?.(state) === undefined) return [];
      return [{ type: `${name}.signed`, data: { id: subject.id } }] as Decided<DomainEvent>[];
    },
  });
}
