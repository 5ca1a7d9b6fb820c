import { appendAllUntilKnown } from '#commands/appendUntilKnown.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { stamp } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import { loadStream } from '#commands/stream.ts';
import { leaseBatch } from '#commands/token/batchLease.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { isUndone, undoCreation } from '#commands/token/undoCreation.ts';
import { createToken as decide } from '#domain/token/decide.ts';
import { isRefusal } from '#domain/event.ts';
import { foldStream } from '#domain/fold.ts';
import { tokenStream } from '#domain/token/events.ts';
import { initialToken, tokenFold } from '#domain/token/state.ts';
import type { TokenState } from '#domain/token/state.ts';
import type { Append } from '#ports/eventLog.ts';
import { Conflicted, Unavailable, ValidationFailed } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';

/** More than there are candidates for an id. */
const attempts = 15;

type Draft = {
  prepared: PreparedToken;
  id: string;
  stream: string;
  payloadId: string;
  written: Executed<TokenState> | undefined;
};

/**
 * Writes prepared tokens, all or none: payloads first, then the events of all streams together. A token whose id is
 * taken gets its next one.
 * @param beforeAppend called when all is stored; what it throws keeps the events from being written
 * @throws Conflicted when an id is or was in use, ValidationFailed when two tokens ask for one id, Unavailable
 */
export async function writeTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  tokens: readonly PreparedToken[],
  beforeAppend: () => Promise<void> = () => Promise.resolve(),
): Promise<Executed<TokenState>[]> {
  const drafts = tokens.map((prepared) => newDraft(context, prepared));
  refuseEqualIds(drafts);
  const isBatch = !dependencies.log.atomicAcrossStreams && drafts.length > 1;
  const lease = isBatch ? leaseBatch(dependencies, context) : undefined;
  let readFirst = context.repeated;
  try {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (readFirst) for (const draft of drafts) await recognize(dependencies, context, draft);
      const open = drafts.filter(({ written }) => written === undefined);
      await lease?.cover(open.map(({ stream }) => stream));
      if (await write(dependencies, context, open, beforeAppend)) {
        if (lease !== undefined && !(await lease.end())) {
          await undoWritten(dependencies, context, drafts);
          throw new Unavailable('The event log took too long, and all was undone. Send it as a new request.');
        }
        return drafts.map(({ written }) => known(written));
      }
      readFirst = true;
    }
    throw new Conflicted('Others took the ids at the same time: try again.');
  } catch (error) {
    if (error instanceof Conflicted) {
      await discard(dependencies, context, drafts);
      await lease?.end();
    }
    throw error;
  } finally {
    lease?.leave();
  }
}

function newDraft(context: CommandContext, prepared: PreparedToken): Draft {
  const draft = { prepared, id: '', stream: '', payloadId: '', written: undefined };
  if (!moveOn(context, draft)) throw new Error('a token has at least one candidate for its id');
  return draft;
}

/** Gives a draft its next id. */
function moveOn({ tenantId, commandId }: CommandContext, draft: Draft): boolean {
  const next = draft.prepared.ids.next();
  if (next.done === true) return false;
  draft.id = next.value;
  draft.stream = tokenStream(tenantId, draft.id);
  draft.payloadId = derivedId(commandId, draft.stream, 'none', 'payload');
  return true;
}

function refuseEqualIds(drafts: readonly Draft[]): void {
  const seen = new Set<string>();
  for (const { id, prepared } of drafts) {
    if (seen.has(id)) {
      throw new ValidationFailed({
        [`${prepared.path}id`]: ['must differ from the ids of the other tokens'],
      });
    }
    seen.add(id);
  }
}

/** Finds what this command has written already, and moves on from ids that others have. */
async function recognize(
  dependencies: CommandDependencies,
  context: CommandContext,
  draft: Draft,
): Promise<void> {
  while (draft.written === undefined) {
    const loaded = await loadStream(dependencies.log, draft.stream, tokenFold);
    const { state, revision, last, writtenBy } = loaded;
    if (writtenBy(context.commandId)) {
      if (isUndone(last)) {
        throw new Conflicted(
          'An earlier try was not finished in time, and undone. Send it as a new request.',
        );
      }
      draft.written = { state, revision, position: last?.position, repeated: true };
      return;
    }
    const decision = decide(state, newToken(draft));
    if (!isRefusal(decision)) return;
    await dependencies.vault.remove(context.tenantId, [draft.payloadId]);
    const taken = draft.id;
    if (!moveOn(context, draft)) {
      throw new Conflicted('detail' in decision ? decision.detail : undefined).about(taken);
    }
  }
}

/** Whether all of them are written now; otherwise somebody was first somewhere, and some may be written. */
async function write(
  dependencies: CommandDependencies,
  context: CommandContext,
  drafts: readonly Draft[],
  beforeAppend: () => Promise<void>,
): Promise<boolean> {
  const { log, vault } = dependencies;
  const { tenantId } = context;
  await vault.storeAll(
    drafts.map(({ payloadId, stream, prepared }) => ({
      id: payloadId,
      tenantId,
      stream,
      ...prepared.secret,
    })),
  );
  const appends = drafts.map((draft): Append => {
    const decision = decide(initialToken, newToken(draft));
    if (isRefusal(decision)) throw new Error('a token can be created where there is none');
    const { stream } = draft;
    return { stream, expected: 'none', events: stamp(dependencies, context, stream, decision) };
  });
  await beforeAppend();
  const verdicts = await appendAllUntilKnown(log, appends);
  verdicts.forEach((verdict, index) => {
    const draft = drafts[index];
    if (verdict.outcome !== 'appended' || draft === undefined) return;
    const state = foldStream(tokenFold, appends[index]?.events ?? []);
    const { revision, position } = verdict;
    draft.written = { state, revision, position, repeated: false };
  });
  return verdicts.every(({ outcome }) => outcome === 'appended');
}

const newToken = ({ id, payloadId, prepared }: Draft) => ({
  id,
  type: prepared.type.name,
  ...prepared.attributes,
  payloadId,
});

/** Takes back what is there of tokens that will not all be. */
async function discard(
  dependencies: CommandDependencies,
  context: CommandContext,
  drafts: readonly Draft[],
): Promise<void> {
  const unwritten = drafts.filter(({ written }) => written === undefined);
  await dependencies.vault.remove(
    context.tenantId,
    unwritten.map(({ payloadId }) => payloadId),
  );
  if (!dependencies.log.atomicAcrossStreams) await undoWritten(dependencies, context, drafts);
}

async function undoWritten(
  dependencies: CommandDependencies,
  { tenantId, commandId }: CommandContext,
  drafts: readonly Draft[],
): Promise<void> {
  for (const { stream, written } of drafts) {
    if (written !== undefined) await undoCreation(dependencies, tenantId, commandId, stream);
  }
}

function known(written: Executed<TokenState> | undefined): Executed<TokenState> {
  if (written === undefined) throw new Error('a token was not written');
  return written;
}
