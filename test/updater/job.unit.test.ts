import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  completeChunk,
  completeJob,
  createJob,
  expireJob,
  failJob,
  recordAnswers,
  recordUpload,
  startJob,
} from '#domain/accountUpdater/decide.ts';
import type { JobEvent } from '#domain/accountUpdater/events.ts';
import { shownJob } from '#domain/accountUpdater/shown.ts';
import { evolveJob } from '#domain/accountUpdater/state.ts';
import type { JobState } from '#domain/accountUpdater/state.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { actOf } from '#src/audit/vocabulary.ts';

const jobs = suite('account updater job');

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;
const expiresAt = '2026-01-02T04:04:05.000Z';
const before = '2026-01-02T04:04:04.999Z';

type Step = (state: JobState) => Decision<JobEvent>;

const after = (...steps: readonly Step[]): JobState =>
  steps.reduce<JobState>(
    (state, step) => {
      const decision = step(state);
      if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
      return decision.map((event) => ({ ...event, metadata }) as JobEvent).reduce(evolveJob, state);
    },
    { status: 'absent' },
  );

const created: Step = (state) => createJob(state, { id: 'j1', expiresAt });
const uploaded: Step = (state) => recordUpload(state, { bytes: 99 });
const started: Step = (state) =>
  startJob(state, { bytes: 99, rows: 5, chunkRows: 3, chunkOffsets: [50, 80] });
const answered: Step = (state) => recordAnswers(state, { chunk: 0, answersPayloadId: 'p1' });
const done =
  (chunk: number, rows: number): Step =>
  (state) =>
    completeChunk(state, { chunk, rows, results: { UPD_PAN: rows }, resultBytes: 10 * rows });
const completed: Step = (state) => completeJob(state, 123);
const failed: Step = (state) => failJob(state, ['The file is empty.']);
const expired: Step = (state) => expireJob(state, expiresAt);

const facts = { id: 'j1', tenantId: 'a1b2', createdBy: 'c3d4', createdAt: metadata.occurred_at };

jobs('given a job in any state, when it is shown, then it has just the members of that state', () => {
  const shown = (...steps: readonly Step[]): unknown => shownJob(after(...steps), before);
  assert.equal(shown(created), { ...facts, status: 'pending', expiresAt });
  assert.equal(shown(created, uploaded), { ...facts, status: 'processing' });
  assert.equal(shown(created, uploaded, started, answered), {
    ...facts,
    status: 'processing',
    rows: 5,
    processed: 0,
  });
  assert.equal(shown(created, uploaded, started, answered, done(0, 3)), {
    ...facts,
    status: 'processing',
    rows: 5,
    processed: 3,
  });
  assert.equal(shown(created, uploaded, started, done(1, 2), done(0, 3), completed), {
    ...facts,
    status: 'completed',
  });
  assert.equal(shown(created, uploaded, failed), {
    ...facts,
    status: 'failed',
    errors: ['The file is empty.'],
  });
});

jobs(
  'given a job without a file, when its hour is over, then it is gone, also before that is recorded',
  () => {
    assert.is(shownJob(after(created), expiresAt), undefined);
    assert.is(shownJob(after(created, expired), before), undefined);
    assert.is(shownJob(after(), before), undefined);
    assert.equal(expireJob(after(created), before), []);
    assert.equal(recordUpload(after(created, expired), { bytes: 1 }), { refused: 'not_found' });
  },
);

jobs('given a file that came in time, when the hour is over, then the job goes on', () => {
  assert.equal(expireJob(after(created, uploaded), expiresAt), []);
  assert.is(shownJob(after(created, uploaded), '2027-01-01T00:00:00.000Z')?.status, 'processing');
});

jobs('given any step that was made, when it is made again, then nothing is recorded', () => {
  const steps = [uploaded, started, answered, done(0, 3), done(1, 2), completed];
  const made: Step[] = [created];
  for (const step of steps) {
    made.push(step);
    assert.equal(step(after(...made)), []);
  }
  for (const step of [...steps, failed, expired]) {
    if (step === completed) continue;
    assert.equal(step(after(...made)), []);
    assert.equal(step(after(created, uploaded, failed)), []);
  }
  assert.is(
    (createJob(after(created), { id: 'j1', expiresAt }) as { refused: string }).refused,
    'already_exists',
  );
});

jobs('given chunks that are not completed, when the job is to complete, then it is refused', () => {
  for (const steps of [[], [started], [started, done(1, 2)], [started, done(1, 2), answered]]) {
    const decision = completeJob(after(created, uploaded, ...steps), 1);
    assert.ok(isRefusal(decision) && decision.refused === 'unprocessable');
  }
  assert.equal(
    completeChunk(after(created, uploaded, started), { chunk: 2, rows: 1, results: {}, resultBytes: 0 }),
    [],
  );
});

jobs('given chunks that end in any order, when the job completes, then their results are added up', () => {
  const job = after(created, uploaded, started, answered, done(1, 2), done(0, 3), completed);
  assert.equal(job, { ...facts, status: 'completed', rows: 5, results: { UPD_PAN: 5 }, resultBytes: 123 });
});

jobs(
  'given answers of a chunk, when it is completed, then the event says which payload is superfluous',
  () => {
    const decision = done(0, 3)(after(created, uploaded, started, answered));
    const [event] = isRefusal(decision) ? [] : decision;
    assert.equal(event?.data, {
      id: 'j1',
      chunk: 0,
      rows: 3,
      results: { UPD_PAN: 3 },
      result_bytes: 30,
      answers_payload_id: 'p1',
    });
  },
);

jobs('given a file without rows, when it is processed, then the job completes', () => {
  const empty: Step = (state) => startJob(state, { bytes: 53, rows: 0, chunkRows: 3, chunkOffsets: [] });
  assert.is(after(created, uploaded, empty, completed).status, 'completed');
});

jobs('given events of jobs, when they are audited, then they are told of the job', () => {
  const entityType = 'account_updater_job';
  assert.equal(actOf('account-updater.job.created'), { entityType, operation: 'create' });
  assert.equal(actOf('account-updater.job.chunk.answered'), { entityType, operation: 'answer' });
  assert.equal(actOf('account-updater.job.uploaded'), { entityType, operation: 'upload' });
});

jobs.run();
