import Type from 'typebox';
import { createJob } from '#commands/accountUpdater/create.ts';
import { shownJob } from '#domain/accountUpdater/shown.ts';
import type { ShownJob } from '#domain/accountUpdater/shown.ts';
import { placeOf } from '#http/cursor.ts';
import { presentJob, presentRealTime } from '#http/presenters/accountUpdaterJob.ts';
import { presentStretch } from '#http/presenters/stretch.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext, shownOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { AccountUpdaterJob, RealTimeRequest, RealTimeResponse } from '#http/schemas/accountUpdater.ts';
import { cursorQuery, stretched } from '#http/schemas/pagination.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import { getJob } from '#queries/accountUpdater/get.ts';
import { listJobs } from '#queries/accountUpdater/list.ts';
import { updateNow } from '#src/accountUpdater/realTime.ts';
import type { RealTimeDependencies } from '#src/accountUpdater/realTime.ts';
import { urlsOf } from '#src/accountUpdater/urls.ts';
import { NotFound } from '#src/errors.ts';

const tags = ['Account updater'];
const audits = { entity: 'account_updater_job' } as const;

export type AccountUpdaterDependencies = RouteDependencies &
  RealTimeDependencies & { objects: ObjectStorage };

/** spec: Account Updater */
export function accountUpdaterRoutes(dependencies: AccountUpdaterDependencies): Route[] {
  const present = async (job: ShownJob): Promise<object> => presentJob(job, await urlsOf(dependencies, job));
  return [
    defineRoute({
      method: 'POST',
      path: '/account-updater/jobs',
      summary: 'Create a job that brings card tokens up to date',
      description: 'It waits an hour for its file, which is sent to `upload_url` by PUT.',
      tags,
      permission: 'account-updater:job:create',
      audits,
      responses: { 201: AccountUpdaterJob },
      handle: async (request) => {
        const { result, stale } = await createJob(dependencies, commandContext(request));
        const job = shownJob(result, dependencies.clock.now().toISOString());
        if (job === undefined) throw new NotFound();
        const body = await present(job);
        return answer(201, { result: body, stale }, (shown) => shown);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/account-updater/jobs/:id',
      summary: 'Get a job',
      description: 'Ask again and again until it is completed or failed, or subscribe to its events.',
      tags,
      permission: 'account-updater:job:read',
      audits,
      responses: { 200: AccountUpdaterJob },
      problems: [404],
      handle: async ({ caller, params }) => ({
        status: 200,
        body: await present(await getJob(dependencies, caller.tenantId, params.id)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/account-updater/real-time',
      summary: 'Bring one card token up to date at once',
      description:
        'Asks the same networks as jobs do. A card that was replaced or renewed gets a new token; `NO_UPDATE`: nothing has changed.',
      tags,
      permission: 'account-updater:real-time:invoke',
      audits: { entity: 'token', operation: 'use' },
      body: RealTimeRequest,
      responses: { 200: RealTimeResponse },
      problems: [404],
      handle: async (request) => {
        const { token_id: tokenId, expiration_month, expiration_year, deduplicate_token } = request.body;
        const outcome = await updateNow(dependencies, commandContext(request), {
          tokenId,
          expirationMonth: expiration_month ?? undefined,
          expirationYear: expiration_year ?? undefined,
          deduplicate: deduplicate_token ?? undefined,
        });
        const { newToken } = outcome.result;
        return {
          ...answer(200, outcome, presentRealTime),
          ...(newToken === undefined ? {} : { about: shownOf([newToken]) }),
          // Its number comes from the networks, not from the caller.
          ...(newToken?.data === undefined ? {} : { shown: shownOf([newToken]) }),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/account-updater/jobs',
      summary: 'List jobs, newest first',
      tags,
      permission: 'account-updater:job:read',
      audits,
      query: Type.Object(cursorQuery),
      responses: { 200: stretched(AccountUpdaterJob) },
      handle: async ({ caller, query: { start, size } }) => {
        const place = start === undefined ? undefined : placeOf(start);
        const { items, next } = await listJobs(dependencies, caller.tenantId, { start: place, size });
        const shown = await Promise.all(items.map(present));
        return { status: 200, body: presentStretch({ items: shown, next }, (job) => job) };
      },
    }),
  ];
}
