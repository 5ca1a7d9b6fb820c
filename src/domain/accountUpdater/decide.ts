import type { Decision } from '#domain/event.ts';
import type { JobEvent } from '#domain/accountUpdater/events.ts';
import type { Chunk, JobState, ResultCounts } from '#domain/accountUpdater/state.ts';

export function createJob(state: JobState, job: { id: string; expiresAt: string }): Decision<JobEvent> {
  if (state.status !== 'absent') return { refused: 'already_exists', detail: 'The job exists already.' };
  return [{ type: 'account-updater.job.created', data: { id: job.id, expires_at: job.expiresAt } }];
}

/** Nothing when a file was there before: one that replaces it is found when the job is started. */
export function recordUpload(state: JobState, file: { bytes: number }): Decision<JobEvent> {
  if (state.status === 'absent' || state.status === 'expired') return { refused: 'not_found' };
  if (state.status !== 'pending') return [];
  return [{ type: 'account-updater.job.uploaded', data: { id: state.id, bytes: file.bytes } }];
}

/** How a file is cut into chunks. */
export type Plan = { bytes: number; rows: number; chunkRows: number; chunkOffsets: readonly number[] };

/** Nothing when it was started before: the plan of then stays. */
export function startJob(state: JobState, plan: Plan): Decision<JobEvent> {
  if (state.status !== 'processing' || state.work !== undefined) return [];
  const { bytes, rows, chunkRows, chunkOffsets } = plan;
  const data = { id: state.id, bytes, rows, chunk_rows: chunkRows, chunk_offsets: [...chunkOffsets] };
  return [{ type: 'account-updater.job.started', data }];
}

/** Nothing when the chunk was answered before: those answers stay. */
export function recordAnswers(
  state: JobState,
  { chunk, answersPayloadId }: { chunk: number; answersPayloadId: string },
): Decision<JobEvent> {
  if (state.status !== 'processing' || chunkOf(state, chunk)?.status !== 'open') return [];
  return [
    {
      type: 'account-updater.job.chunk.answered',
      data: { id: state.id, chunk, answers_payload_id: answersPayloadId },
    },
  ];
}

export type ChunkOutcome = { chunk: number; rows: number; results: ResultCounts; resultBytes: number };

/** Nothing when the chunk was completed before. */
export function completeChunk(
  state: JobState,
  { chunk, rows, results, resultBytes }: ChunkOutcome,
): Decision<JobEvent> {
  const current = chunkOf(state, chunk);
  if (state.status !== 'processing' || current === undefined || current.status === 'completed') return [];
  const answers = current.status === 'answered' ? { answers_payload_id: current.answersPayloadId } : {};
  return [
    {
      type: 'account-updater.job.chunk.completed',
      data: { id: state.id, chunk, rows, results: { ...results }, result_bytes: resultBytes, ...answers },
    },
  ];
}

/** @param resultBytes of the result file, which is there. Nothing when the job has ended. */
export function completeJob(state: JobState, resultBytes: number): Decision<JobEvent> {
  if (state.status !== 'processing') return [];
  const chunks: readonly Chunk[] = state.work?.chunks ?? [{ status: 'open' }];
  const done = chunks.filter((chunk) => chunk.status === 'completed');
  if (done.length < chunks.length) {
    return { refused: 'unprocessable', detail: 'The job has chunks that are not completed.' };
  }
  const results: Record<string, number> = {};
  for (const chunk of done) {
    for (const [code, count] of Object.entries(chunk.results)) results[code] = (results[code] ?? 0) + count;
  }
  const data = { id: state.id, rows: state.work?.rows ?? 0, results, result_bytes: resultBytes };
  return [{ type: 'account-updater.job.completed', data }];
}

/** Nothing when the job has ended. */
export function failJob(state: JobState, errors: readonly string[]): Decision<JobEvent> {
  if (state.status !== 'pending' && state.status !== 'processing') return [];
  return [{ type: 'account-updater.job.failed', data: { id: state.id, errors: [...errors] } }];
}

/** @param now ISO 8601, UTC. Nothing before its time, and when a file came. */
export function expireJob(state: JobState, now: string): Decision<JobEvent> {
  if (state.status !== 'pending' || now < state.expiresAt) return [];
  return [{ type: 'account-updater.job.expired', data: { id: state.id } }];
}

function chunkOf(state: JobState, index: number): Chunk | undefined {
  return state.status === 'processing' ? state.work?.chunks[index] : undefined;
}
