import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJob } from '#commands/accountUpdater/create.ts';
import { loadJob } from '#commands/accountUpdater/record.ts';
import type { JobSubject } from '#commands/accountUpdater/record.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import { systemContext } from '#commands/systemContext.ts';
import { progressOf } from '#domain/accountUpdater/shown.ts';
import type { CompletedJob, ProcessingJob } from '#domain/accountUpdater/state.ts';
import { listTenants } from '#infra/postgres/listTenants.ts';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import { createRunner } from '#projections/engine/runner.ts';
import { getTenant } from '#queries/tenant/get.ts';
import { mostBytesOfRequest, objectKeys } from '#src/accountUpdater/ids.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';
import { bar, OperatorError, print } from '#src/cli/print.ts';
import { operatorOf } from '#src/cli/operator.ts';
import { orRefuse } from '#src/cli/refusal.ts';
import { isUuid } from '#src/identifiers.ts';
import { accountUpdaterWork } from '#src/main/accountUpdaterWork.ts';
import type { Composition } from '#src/main/compose.ts';
import { engineOf } from '#src/main/engine.ts';
import { createUpdater } from '#src/main/updater.ts';

/** Between two looks at a job, in milliseconds. */
const pause = 200;

/**
 * Does a whole job: with the service, when it runs, and without it when it does not.
 * @throws OperatorError
 */
export async function runJob(
  composition: Composition,
  file: string,
  { out, tenant }: { out: string; tenant?: string },
): Promise<void> {
  const bytes = await sizeOf(file);
  await mustBeWritable(out);
  const tenantId = await tenantFor(composition, tenant);
  const stop = startWork(composition);
  try {
    const { result } = await createJob(composition, systemContext(tenantId, operatorOf(composition.config)));
    if (result.status !== 'pending') throw new Error('the job was not created');
    const subject = { tenantId, id: result.id };
    const content = createReadStream(file) as AsyncIterable<Uint8Array>;
    await composition.objects.write(objectKeys.request(tenantId, result.id), content, bytes);
    await recordUpload(composition, subject, { bytes });
    const { rows, results } = await completed(composition, subject);
    await pipeline(
      await composition.objects.read(objectKeys.result(tenantId, result.id)),
      createWriteStream(out),
    ).catch((error: unknown) => {
      throw new OperatorError(`'${out}' cannot be written; the result is that of job ${subject.id}`, {
        cause: error,
      });
    });
    print.line(`job   ${subject.id}`);
    print.line(`rows  ${rows}`);
    for (const [code, count] of Object.entries(results).sort()) print.line(`${code}  ${count}`);
  } finally {
    await stop();
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new OperatorError(`there is no file '${file}'`);
  if (found.size > mostBytesOfRequest) throw new OperatorError(new UnusableFile('too_large').message);
  return found.size;
}

/** Looked at before anything is done: a job makes tokens, and they would be there without their result. */
async function mustBeWritable(out: string): Promise<void> {
  const there = await stat(out).catch(() => undefined);
  const isAllowed = await access(there === undefined ? dirname(out) : out, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isAllowed || there?.isDirectory() === true) throw new OperatorError(`'${out}' cannot be written`);
}

async function tenantFor(composition: Composition, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (!isUuid(given)) throw new OperatorError(`'${given}' is not the id of a tenant`);
    const { id } = await orRefuse(`tenant ${given}`, () => getTenant(composition, given.toLowerCase()));
    return id;
  }
  const [only, ...others] = await listTenants(composition.pools.owner, 2);
  if (only === undefined) throw new OperatorError('there is no tenant');
  if (others.length > 0) throw new OperatorError('there are several tenants: say which by --tenant');
  return only;
}

/** What of a worker a job needs; whoever else does the same shares it by locks in the database. */
function startWork(composition: Composition): () => Promise<void> {
  const { log, connection, logger } = composition;
  const views = createRunner(engineOf(composition));
  const { subscribers } = accountUpdaterWork(composition);
  const subscriptions = createSubscriptionRunner({ log, connection, subscribers, logger });
  const updater = createUpdater(composition);
  for (const part of [views, subscriptions, updater]) part.start();
  return async () => {
    for (const part of [updater, subscriptions, views]) await part.stop();
  };
}

async function completed(composition: Composition, subject: JobSubject): Promise<CompletedJob> {
  try {
    for (;;) {
      const { state } = await loadJob(composition, subject);
      if (state.status === 'completed') return state;
      if (state.status === 'failed') throw new OperatorError(state.errors.join(' '));
      if (state.status === 'processing') show(state);
      await sleep(pause);
    }
  } finally {
    print.progressEnd();
  }
}

function show({ work }: ProcessingJob): void {
  if (work === undefined) {
    print.progress('reading the file');
    return;
  }
  const { rows, processed } = progressOf(work);
  print.progress(`${bar(rows === 0 ? 1 : processed / rows)} ${processed} of ${rows} rows`);
}
