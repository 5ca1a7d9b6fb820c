import { ObjectNotFound } from '#ports/objectStorage.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import type { ChunkRepeats } from '#src/accountUpdater/repeats.ts';
import type { RowOutcome } from '#src/accountUpdater/resultRows.ts';

/** What came out for a token, to be repeated in each of its rows. It holds no card. */
export type TokenOutcome = Pick<RowOutcome, 'code' | 'newToken'>;

type Job = { tenantId: string; id: string };
type Objects = Pick<ObjectStorage, 'read' | 'write'>;

const nothing: ChunkRepeats = { from: [], rows: [] };

/** What a chunk shares; nothing where no token of it stands elsewhere, and in jobs of earlier versions. */
export const readRepeats = async (
  objects: Objects,
  { tenantId, id }: Job,
  chunk: number,
): Promise<ChunkRepeats> =>
  (await readJson<ChunkRepeats>(objects, objectKeys.repeats(tenantId, id, chunk))) ?? nothing;

export const writeRepeats = (
  objects: Objects,
  { tenantId, id }: Job,
  chunk: number,
  repeats: ChunkRepeats,
): Promise<void> => writeJson(objects, objectKeys.repeats(tenantId, id, chunk), repeats);

/** By token, what other chunks found out. */
export async function readOutcomes(
  objects: Objects,
  { tenantId, id }: Job,
  chunks: readonly number[],
): Promise<Map<string, TokenOutcome>> {
  const outcomes = new Map<string, TokenOutcome>();
  for (const chunk of chunks) {
    const stored = await readJson<StoredOutcome[]>(objects, objectKeys.outcomes(tenantId, id, chunk));
    for (const [token, code, newToken] of stored ?? []) {
      outcomes.set(token, { code: code ?? undefined, ...(newToken === null ? {} : { newToken }) });
    }
  }
  return outcomes;
}

export const writeOutcomes = (
  objects: Objects,
  { tenantId, id }: Job,
  chunk: number,
  outcomes: ReadonlyMap<string, TokenOutcome>,
): Promise<void> =>
  writeJson(
    objects,
    objectKeys.outcomes(tenantId, id, chunk),
    [...outcomes].map(([token, { code, newToken }]): StoredOutcome => [
      token,
      code ?? null,
      newToken ?? null,
    ]),
  );

type StoredOutcome = [
  token: string,
  code: ResultCode | null,
  newToken: NonNullable<RowOutcome['newToken']> | null,
];

async function readJson<Stored>(objects: Objects, key: string): Promise<Stored | undefined> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of await objects.read(key)) parts.push(part);
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
  return JSON.parse(Buffer.concat(parts).toString()) as Stored;
}

async function writeJson(objects: Objects, key: string, value: object): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await objects.write(key, chunksOf(bytes), bytes.length);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
