import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { appendUntilKnown } from '#commands/appendUntilKnown.ts';
import { loadStream } from '#commands/stream.ts';
import type { KnownStream } from '#commands/stream.ts';
import { foldStream } from '#domain/fold.ts';
import type { Fold } from '#domain/fold.ts';
import { newestVersion } from '#domain/catalog.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decided, Decision, DomainEvent, Refusal } from '#domain/event.ts';
import { Conflicted, NotFound, Unprocessable, ValidationFailed } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { checkFolded } from '#src/signedStreams.ts';
import { WrongExpectedRevision } from '#ports/eventLog.ts';
import type { EventToAppend, ExpectedRevision, Position } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';

const attempts = 10;

/**
 * How long to wait after an attempt, in milliseconds: at random, so that many who met each other do not meet again,
 * and longer each time, as their number is not known. All nine pauses together take less than 1.5 s.
 */
const pauseAfter = (attempt: number): number => Math.random() * Math.min(8 * 2 ** attempt, 250);

export type Work<State, Event extends DomainEvent> = {
  stream: string;
  fold: Fold<State, Event>;
  /** The stream is most likely new: it is not read before the first attempt. */
  expectNew?: boolean;
  /**
   * The stream as it most likely still is: it is not read before the first attempt either, and then from there on. An
   * earlier run of the command may have written before that, so the decision has to see by the state that it did.
   */
  known?: KnownStream<State>;
  /** Also where the rights are not those that were signed: it takes them away, or signs them. */
  trustsAnything?: boolean;
  /** Decides on the state as it is; may store payloads first. Runs again after a conflict. */
  decide(state: State, revision: ExpectedRevision): Promise<Decision<Event>> | Decision<Event>;
  /** Undoes what a decision stored, once it is certain that its events were not written. */
  discard?(revision: ExpectedRevision): Promise<void>;
};

export type Executed<State> = {
  state: State;
  /** Of the stream, with what was written. */
  revision: ExpectedRevision;
  /** Undefined: there was nothing to write. */
  position: Position | undefined;
  /** An earlier run of this command had written already. */
  repeated: boolean;
};

/** Thrown by a decision that met something which a concurrent change has just taken away. */
export class DecideAgain extends Error {
  override readonly name = 'DecideAgain';
}

/**
 * Load, decide, append; on a conflict wait for a moment and decide again, ten times at most in all.
 * @throws NotFound, Conflicted, Unprocessable, ValidationFailed as the decision refuses
 * @throws Unavailable when the outcome could not be known in time
 * @throws IntegrityError where what is decided on is not what was signed
 */
export async function execute<State, Event extends DomainEvent>(
  dependencies: CommandDependencies,
  context: CommandContext,
  work: Work<State, Event>,
): Promise<Executed<State>> {
  const { log } = dependencies;
  let readFirst = context.repeated || (work.expectNew !== true && work.known === undefined);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const known = context.repeated ? undefined : work.known;
    const loaded = readFirst ? await loadStream(log, work.stream, work.fold, known) : undefined;
    if (loaded?.writtenBy(context.commandId) === true) {
      const { state, revision, last } = loaded;
      return { state, revision, position: last?.position, repeated: true };
    }
    const { state, revision } = loaded ?? work.known ?? { state: work.fold.initial, revision: 'none' };
    try {
      const decision = await work.decide(state, revision);
      if (isRefusal(decision)) throw errorOf(decision);
      if (decision.length === 0) return { state, revision, position: undefined, repeated: false };
      // What is signed next would make rights good that nobody gave.
      if (work.trustsAnything !== true) {
        await checkFolded(dependencies.stateSigner, { ...work, state, last: loaded?.last });
      }
      const events = await signed(
        dependencies,
        work,
        { state, revision },
        stamp(dependencies, context, work.stream, decision),
      );
      const written = await appendUntilKnown(log, work.stream, revision, events);
      return {
        state: foldStream(work.fold, events, state),
        revision: written.revision,
        position: written.position,
        repeated: false,
      };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) await work.discard?.(revision);
      else if (!(error instanceof DecideAgain)) throw error;
      readFirst = true;
      if (attempt < attempts) await sleep(pauseAfter(attempt));
    }
  }
  throw new Conflicted('Others changed this at the same time: try again.');
}

/** Gives events the MACs over the rights that they leave, where the stream is about any. */
async function signed<State, Event extends DomainEvent>(
  { stateSigner }: CommandDependencies,
  { stream, fold }: Work<State, Event>,
  before: { state: State; revision: ExpectedRevision },
  events: readonly EventToAppend[],
): Promise<readonly EventToAppend[]> {
  if (fold.signed === undefined) return events;
  let { state } = before;
  let revision = before.revision === 'none' ? -1n : before.revision;
  const all: EventToAppend[] = [];
  for (const event of events) {
    state = foldStream(fold, [event], state);
    revision += 1n;
    const content = fold.signed(state);
    const mac = content && (await stateSigner.sign({ stream, revision, content }));
    all.push(mac === undefined ? event : { ...event, metadata: { ...event.metadata, mac } });
  }
  return all;
}

/** Gives decided events their ids and metadata. */
export function stamp<Event extends DomainEvent>(
  { clock }: Pick<CommandDependencies, 'clock'>,
  context: CommandContext,
  stream: string,
  decided: readonly Decided<Event>[],
): EventToAppend[] {
  const occurredAt = clock.now().toISOString();
  return decided.map((event, index) => ({
    id: derivedId(context.commandId, stream, index),
    type: event.type,
    data: withoutUndefined(event.data),
    metadata: {
      tenant_id: context.tenantId,
      actor: context.actor,
      trace_id: context.traceId,
      command_id: context.commandId,
      schema_version: newestVersion(event.type),
      occurred_at: occurredAt,
      ...(context.address === undefined ? {} : { client_address: context.address }),
      ...(context.keyId === undefined ? {} : { key_id: context.keyId }),
    },
  }));
}

const withoutUndefined = (data: object): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as JsonObject;

/** The error that a caller is told a refusal by. */
export function errorOf(refusal: Refusal): Error {
  switch (refusal.refused) {
    case 'already_exists':
    case 'conflict':
      return new Conflicted(refusal.detail);
    case 'not_found':
      return new NotFound();
    case 'invalid':
      return new ValidationFailed(refusal.faults);
    case 'unprocessable':
      return new Unprocessable(refusal.detail);
  }
}
