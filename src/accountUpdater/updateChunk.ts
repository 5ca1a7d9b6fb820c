import { recordStep } from '#commands/accountUpdater/record.ts';
import type { LoadedJob } from '#commands/accountUpdater/record.ts';
import { renewTokens } from '#commands/accountUpdater/renew.ts';
import type { Renewal } from '#commands/accountUpdater/renew.ts';
import type { CommandContext } from '#commands/context.ts';
import { completeChunk, recordAnswers } from '#domain/accountUpdater/decide.ts';
import { jobStream } from '#domain/accountUpdater/events.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import type { Chunk, Work } from '#domain/accountUpdater/state.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import { tokenIdFault } from '#domain/token/id.ts';
import { readCardTokens, readCards } from '#queries/accountUpdater/cards.ts';
import type { JsonObject } from '#ports/json.ts';
import { readChunk } from '#src/accountUpdater/chunks.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { findOut } from '#src/accountUpdater/findOut.ts';
import { findingsIn, storedFindings } from '#src/accountUpdater/finding.ts';
import type { Finding } from '#src/accountUpdater/finding.ts';
import { chunkIds, objectKeys } from '#src/accountUpdater/ids.ts';
import { merchantsOf } from '#src/accountUpdater/merchants.ts';
import { readOutcomes, readRepeats, writeOutcomes } from '#src/accountUpdater/shared.ts';
import type { TokenOutcome } from '#src/accountUpdater/shared.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';
import { countResults, resultRows } from '#src/accountUpdater/resultRows.ts';
import type { RowOutcome } from '#src/accountUpdater/resultRows.ts';
import { readPayload } from '#src/payloads.ts';

export type ChunkWork = {
  job: LoadedJob;
  work: Work;
  chunk: number;
  tenantSettings: TenantSettings;
};

/** Until an earlier chunk, with which this one has tokens in common, is looked at again, in milliseconds. */
const pauseForOthers = 1_000;

export type ChunkOutcome =
  | { status: 'completed'; job: LoadedJob }
  /** To be done again when these milliseconds have passed. */
  | { status: 'pending'; milliseconds: number };

/**
 * Does what is left to be done of a chunk. Done again, after a crash anywhere, it comes to the same result: its ids
 * derive from the job, answers that came are kept, and tokens that were made are found.
 * @throws CardNetworksFailed, StoreUnavailable, Unavailable and whatever else may go better later
 */
export async function updateChunk(
  dependencies: UpdaterDependencies,
  { job, work, chunk, tenantSettings }: ChunkWork,
): Promise<ChunkOutcome> {
  const { tenantId, id } = job.subject;
  const rows = await readChunk(dependencies.objects, objectKeys.request(tenantId, id), work, chunk);
  const repeats = await readRepeats(dependencies.objects, job.subject, chunk);
  if (repeats.from.some((before) => work.chunks[before]?.status !== 'completed')) {
    return { status: 'pending', milliseconds: pauseForOthers };
  }
  const inherited = await readOutcomes(dependencies.objects, job.subject, repeats.from);
  const known = await keptFindings(dependencies, job, work.chunks[chunk]);
  const cards = await readCards(dependencies, tenantId, tokensOf(rows, known));
  const ids = chunkIds(id, chunk);
  let current = job;
  let findings = known;
  if (findings === undefined) {
    const merchants = merchantsOf(tenantSettings);
    const question = { tenantId, batchId: ids.batch, rows, cards, merchants, known: inherited };
    const found = await findOut(dependencies, question);
    if (found.status === 'pending') return found;
    findings = found.findings;
    if (found.hasAsked) current = await keepFindings(dependencies, job, chunk, findings);
  }
  const renewing = { job, rows, findings, cards, tenantSettings, ids, known, inherited };
  const outcomes = await renewRows(dependencies, renewing);
  const part = Buffer.from(resultRows(outcomes));
  await dependencies.objects.write(objectKeys.part(tenantId, id, chunk), chunks(part), part.length);
  if (repeats.rows.length > 0) {
    await writeOutcomes(dependencies.objects, job.subject, chunk, sharedOf(outcomes, repeats.rows));
  }
  const results = countResults(outcomes);
  const done = { chunk, rows: rows.length, results, resultBytes: part.length };
  const executed = await recordStep(dependencies, current, ['chunk', chunk, 'completed'], (state) =>
    completeChunk(state, done),
  );
  return { status: 'completed', job: { ...current, ...executed } };
}

async function keptFindings(
  { vault }: UpdaterDependencies,
  { subject: { tenantId, id } }: LoadedJob,
  chunk: Chunk | undefined,
): Promise<Map<number, Finding> | undefined> {
  if (chunk?.status !== 'answered') return undefined;
  const reference = { id: chunk.answersPayloadId, stream: jobStream(tenantId, id) };
  const data = await (await readPayload(vault, tenantId, reference))?.data();
  return data === undefined ? undefined : findingsIn(data);
}

/** Of what is known already, only tokens that are to be renewed are looked at again. */
function tokensOf(rows: readonly Row[], known: ReadonlyMap<number, Finding> | undefined): string[] {
  const wanted =
    known === undefined ? rows : rows.filter(({ number }) => known.get(number)?.renewed !== undefined);
  const ids = new Set(wanted.map(({ token }) => token));
  return [...ids].filter((id) => tokenIdFault(id) === undefined);
}

async function keepFindings(
  dependencies: UpdaterDependencies,
  job: LoadedJob,
  chunk: number,
  findings: ReadonlyMap<number, Finding>,
): Promise<LoadedJob> {
  const { tenantId, id } = job.subject;
  const answersPayloadId = chunkIds(id, chunk).answers;
  const stream = jobStream(tenantId, id);
  await dependencies.vault.store({ id: answersPayloadId, tenantId, stream, data: storedFindings(findings) });
  const executed = await recordStep(dependencies, job, ['chunk', chunk, 'answered'], (state) =>
    recordAnswers(state, { chunk, answersPayloadId }),
  );
  return { ...job, ...executed };
}

type Renewing = {
  job: LoadedJob;
  rows: readonly Row[];
  findings: ReadonlyMap<number, Finding>;
  cards: ReadonlyMap<string, JsonObject>;
  tenantSettings: TenantSettings;
  ids: ReturnType<typeof chunkIds>;
  known: ReadonlyMap<number, Finding> | undefined;
  inherited: ReadonlyMap<string, TokenOutcome>;
};

async function renewRows(
  dependencies: UpdaterDependencies,
  { job, rows, findings, cards, tenantSettings, ids, known, inherited }: Renewing,
): Promise<RowOutcome[]> {
  const changed = firstOfEachToken(rows.filter(({ number }) => findings.get(number)?.renewed !== undefined));
  const tokens = await readCardTokens(
    dependencies,
    job.subject.tenantId,
    changed.map(({ token }) => token),
  );
  const renewals = changed.flatMap((row): Renewal[] => {
    const renewed = findings.get(row.number)?.renewed;
    const [token, data] = [tokens.get(row.token), cards.get(row.token)];
    if (renewed === undefined || token === undefined || data === undefined) return [];
    return [{ part: `row ${row.number}`, token, data, ...renewed }];
  });
  // Answers that are known already were known to an earlier run, which may have made tokens too.
  const repeated = known !== undefined;
  const context = { ...authorContext(job), commandId: ids.tokens, repeated, tenantSettings };
  const made = renewals.length === 0 ? [] : await renewTokens(dependencies, context, renewals);
  const newIds = new Map(renewals.map(({ token }, index) => [token.id, made[index]]));
  return rows.map((row): RowOutcome => {
    const finding = findings.get(row.number);
    if (finding === undefined) return { row, code: undefined, ...inherited.get(row.token) };
    const newId = newIds.get(row.token);
    if (finding.renewed === undefined || newId === undefined) return { row, code: finding.code };
    const { expiration, isNewExpiration } = finding.renewed;
    return { row, code: finding.code, newToken: { id: newId, ...(isNewExpiration ? { expiration } : {}) } };
  });
}

const firstOfEachToken = (rows: readonly Row[]): Row[] =>
  [...new Map(rows.toReversed().map((row) => [row.token, row])).values()].reverse();

/** What is wrong with a row by itself; a later row of the same token may be right. */
const ofRowAlone: ReadonlySet<string | undefined> = new Set<ResultCode>([
  'ERR_INVALID_TOKEN',
  'ERR_INVALID_CONFIG',
  'ERR_INVALID_EXP_DATE',
  'ERR_INVALID_PAN',
]);

/** What later chunks are told of the tokens in some rows; nothing of tokens that nobody was asked about. */
function sharedOf(outcomes: readonly RowOutcome[], numbers: readonly number[]): Map<string, TokenOutcome> {
  const wanted = new Set(numbers);
  const tokens = new Set(outcomes.filter(({ row }) => wanted.has(row.number)).map(({ row }) => row.token));
  const shared = new Map<string, TokenOutcome>();
  for (const { row, code, newToken } of outcomes) {
    if (!tokens.has(row.token) || shared.has(row.token) || ofRowAlone.has(code)) continue;
    shared.set(row.token, { code, ...(newToken === undefined ? {} : { newToken }) });
  }
  return shared;
}

/** New tokens are the work of the application that asked for the job, as the spec says of `created_by`. */
function authorContext({ state, context }: LoadedJob): CommandContext {
  const author = 'createdBy' in state ? state.createdBy : undefined;
  return author === undefined ? context : { ...context, actor: { type: 'application', id: author } };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
