import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const jobStream = (tenantId: string, id: string): string => `account_updater_job-${tenantId}.${id}`;

const job = { id: Type.String() };
/** How many rows have which result code. Rows without a change have none. */
const results = Type.Record(Type.String(), Type.Integer());

export const JobCreated = Type.Object({
  ...job,
  /** Until when the request file can be uploaded; ISO 8601, UTC. */
  expires_at: Type.String(),
});
/** The request file is there. Until the job is started, another may replace it. */
export const JobUploaded = Type.Object({ ...job, bytes: Type.Integer() });
/** From here on, the request file is sealed, known to be usable, and cut into chunks. */
export const JobStarted = Type.Object({
  ...job,
  bytes: Type.Integer(),
  rows: Type.Integer(),
  /** Of every chunk but the last. */
  chunk_rows: Type.Integer(),
  /** Where each chunk begins in the file, in bytes; it ends where the next one begins. */
  chunk_offsets: Type.Array(Type.Integer()),
});

const chunk = { ...job, /** 0 is the first. */ chunk: Type.Integer() };
/** What networks said of the cards of a chunk lies in the vault: the same chunk is not asked about again. */
export const JobChunkAnswered = Type.Object({ ...chunk, answers_payload_id: Type.String() });
/** The chunk's new tokens are there, and its part of the result file is written. */
export const JobChunkCompleted = Type.Object({
  ...chunk,
  rows: Type.Integer(),
  results,
  /** Of its part of the result file. */
  result_bytes: Type.Integer(),
  /** Where the vault kept the answers, which are superfluous from here on; absent: no card was asked about. */
  answers_payload_id: Type.Optional(Type.String()),
});

export const JobCompleted = Type.Object({
  ...job,
  rows: Type.Integer(),
  results,
  /** Of the whole result file. */
  result_bytes: Type.Integer(),
});
/** The file is unusable as a whole. */
export const JobFailed = Type.Object({
  ...job,
  /** Fixed sentences with numbers of rows and columns at most; nothing that the file says. */
  errors: Type.Array(Type.String()),
});
/** No file was uploaded in time. */
export const JobExpired = Type.Object(job);

export type JobEvent =
  | DomainEvent<'account-updater.job.created', Static<typeof JobCreated>>
  | DomainEvent<'account-updater.job.uploaded', Static<typeof JobUploaded>>
  | DomainEvent<'account-updater.job.started', Static<typeof JobStarted>>
  | DomainEvent<'account-updater.job.chunk.answered', Static<typeof JobChunkAnswered>>
  | DomainEvent<'account-updater.job.chunk.completed', Static<typeof JobChunkCompleted>>
  | DomainEvent<'account-updater.job.completed', Static<typeof JobCompleted>>
  | DomainEvent<'account-updater.job.failed', Static<typeof JobFailed>>
  | DomainEvent<'account-updater.job.expired', Static<typeof JobExpired>>;
