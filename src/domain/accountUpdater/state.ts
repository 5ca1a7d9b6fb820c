import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { JobEvent } from '#domain/accountUpdater/events.ts';

/** Rows by result code. */
export type ResultCounts = Readonly<Record<string, number>>;

export type Chunk =
  | { status: 'open' }
  | { status: 'answered'; answersPayloadId: string }
  | { status: 'completed'; rows: number; results: ResultCounts; resultBytes: number };

/** What is to be done of a sealed file, and how far that is. */
export type Work = {
  bytes: number;
  rows: number;
  /** Rows of every chunk but the last. */
  chunkRows: number;
  /** In bytes. */
  chunkOffsets: readonly number[];
  chunks: readonly Chunk[];
};

type Facts = {
  id: string;
  tenantId: string;
  createdBy: string | undefined;
  /** ISO 8601, UTC, as all times here. */
  createdAt: string;
};

export type PendingJob = Facts & { status: 'pending'; expiresAt: string };
/** Without work: the file is there, and nobody has looked at it yet. */
export type ProcessingJob = Facts & { status: 'processing'; work: Work | undefined };
export type CompletedJob = Facts & {
  status: 'completed';
  rows: number;
  results: ResultCounts;
  resultBytes: number;
};
export type FailedJob = Facts & { status: 'failed'; errors: readonly string[] };

export type JobState =
  { status: 'absent' } | PendingJob | ProcessingJob | CompletedJob | FailedJob | { status: 'expired' };

/** Folds one event into the state of an account updater job. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  if (event.type === 'account-updater.job.created') {
    return {
      status: 'pending',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      createdBy: authorOf(event),
      createdAt: event.metadata.occurred_at,
      expiresAt: event.data.expires_at,
    };
  }
  if (state.status === 'absent' || state.status === 'expired') return state;
  const { id, tenantId, createdBy, createdAt } = state;
  const facts = { id, tenantId, createdBy, createdAt };
  switch (event.type) {
    case 'account-updater.job.uploaded':
      return { ...facts, status: 'processing', work: undefined };
    case 'account-updater.job.started': {
      const { bytes, rows, chunk_rows: chunkRows, chunk_offsets: chunkOffsets } = event.data;
      const chunks = chunkOffsets.map((): Chunk => ({ status: 'open' }));
      return { ...facts, status: 'processing', work: { bytes, rows, chunkRows, chunkOffsets, chunks } };
    }
    case 'account-updater.job.chunk.answered':
      return withChunk(state, event.data.chunk, {
        status: 'answered',
        answersPayloadId: event.data.answers_payload_id,
      });
    case 'account-updater.job.chunk.completed': {
      const { chunk, rows, results, result_bytes } = event.data;
      return withChunk(state, chunk, { status: 'completed', rows, results, resultBytes: result_bytes });
    }
    case 'account-updater.job.completed': {
      const { rows, results, result_bytes } = event.data;
      return { ...facts, status: 'completed', rows, results, resultBytes: result_bytes };
    }
    case 'account-updater.job.failed':
      return { ...facts, status: 'failed', errors: event.data.errors };
    case 'account-updater.job.expired':
      return { status: 'expired' };
    default:
      return unreachable(event);
  }
}

function withChunk(state: JobState, index: number, chunk: Chunk): JobState {
  if (state.status !== 'processing' || state.work === undefined) return state;
  return { ...state, work: { ...state.work, chunks: state.work.chunks.with(index, chunk) } };
}

export const jobFold: Fold<JobState, JobEvent> = { initial: { status: 'absent' }, evolve: evolveJob };
