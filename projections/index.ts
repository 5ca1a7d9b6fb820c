import { accountUpdaterJobsProjection } from '#projections/accountUpdaterJobs.ts';
import { applicationsProjection } from '#projections/applications.ts';
import { connectionsProjection } from '#projections/connections.ts';
import { membersProjection } from '#projections/members.ts';
import type { Projection } from '#projections/projection.ts';
import { proxiesProjection } from '#projections/proxies.ts';
import { reactorsProjection } from '#projections/reactors.ts';
import { sessionsProjection } from '#projections/sessions.ts';
import { tenantsProjection } from '#projections/tenants.ts';
import { tokensProjection } from '#projections/tokens.ts';
import { transactionsProjection } from '#projections/transactions.ts';
import { usageProjection } from '#projections/usage.ts';

/** Every view there is. */
export const projections: readonly Projection[] = [
  tenantsProjection,
  applicationsProjection,
  sessionsProjection,
  membersProjection,
  reactorsProjection,
  proxiesProjection,
  tokensProjection,
  connectionsProjection,
  transactionsProjection,
  accountUpdaterJobsProjection,
  usageProjection,
];
