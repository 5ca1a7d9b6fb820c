import type { DomainEvent } from '#domain/event.ts';
import { foldStream } from '#domain/fold.ts';
import type { Fold } from '#domain/fold.ts';
import type { Clock } from '#ports/clock.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { SignedState, StateSigner } from '#ports/stateSigner.ts';
import { IntegrityError } from '#ports/vault.ts';

/** What it takes to trust a row, or a stream, that decides access. */
export type SignedStreams = {
  log: Pick<EventLog, 'readStream'>;
  stateSigner: StateSigner;
  integrityAlarm: IntegrityAlarm;
  clock: Clock;
};

/** A view is behind for moments; one that is behind for longer, in milliseconds, was put back or is in trouble. */
const lag = 60_000;

/** The state of a stream, once it is certain that its rights are those that were given. @throws IntegrityError */
export async function readSigned<State, Event extends DomainEvent>(
  { log, stateSigner }: Pick<SignedStreams, 'log' | 'stateSigner'>,
  stream: string,
  fold: Fold<State, Event>,
): Promise<State> {
  const events = await log.readStream(stream);
  const state = foldStream(fold, events);
  await checkFolded(stateSigner, { stream, fold, state, last: events.at(-1) });
  return state;
}

type Folded<State, Event extends DomainEvent> = {
  stream: string;
  fold: Fold<State, Event>;
  state: State;
  /** The event that the state is as of. */
  last: Pick<RecordedEvent, 'revision' | 'metadata'> | undefined;
};

/** @throws IntegrityError where the last event does not carry the MAC over what all of them make of the rights */
export async function checkFolded<State, Event extends DomainEvent>(
  stateSigner: StateSigner,
  { stream, fold, state, last }: Folded<State, Event>,
): Promise<void> {
  const content = fold.signed?.(state);
  if (content === undefined || last === undefined) return;
  await stateSigner.check({ stream, revision: last.revision, content, mac: last.metadata.mac });
}

/** What a view keeps beside what is signed. */
export type SignedRow = { revision: string; mac: string | null };

export const signedStateOf = (
  stream: string,
  content: object,
  { revision, mac }: SignedRow,
): SignedState => ({
  stream,
  revision: BigInt(revision),
  content,
  mac,
});

/**
 * Whether a row of a view is as new as its stream. One that is behind is not to be gone by: the stream is.
 * @throws IntegrityError where it is not what was signed
 */
export async function isNewest(
  { log, stateSigner, integrityAlarm, clock }: SignedStreams,
  state: SignedState,
): Promise<boolean> {
  const { stream, revision } = state;
  const [next] = await log.readStream(stream, revision + 1n);
  if (next === undefined) {
    await stateSigner.check(state);
    return true;
  }
  if (clock.now().getTime() - Date.parse(next.metadata.occurred_at) > lag) {
    integrityAlarm({
      kind: stream.slice(0, stream.indexOf('-')),
      name: stream,
      what: 'behind its stream',
    });
  }
  return false;
}

/** Items of a list without those that are not what was signed: for each of these there was an alarm. */
export async function withoutForged<Item>(
  { stateSigner }: Pick<SignedStreams, 'stateSigner'>,
  items: readonly Item[],
  signed: (item: Item) => SignedState,
): Promise<Item[]> {
  const checked = await Promise.all(
    items.map((item) =>
      stateSigner.check(signed(item)).then(
        () => [item],
        (error: unknown) => {
          if (error instanceof IntegrityError) return [];
          throw error;
        },
      ),
    ),
  );
  return checked.flat();
}
