import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Fairness } from '#infra/jobs/fairness.ts';

const fairness = suite('fairness of jobs');

/** Gives a tenant all the jobs that it may have. Answers how many those are. */
async function fill(shares: Fairness, tenantId: string): Promise<number> {
  for (let jobs = 0; ; jobs++) {
    const served = await shares.look();
    if (served.includes(tenantId)) {
      shares.found(undefined);
      return jobs;
    }
    shares.found(tenantId);
  }
}

fairness('given one tenant, when it has many jobs, then it gets its share, and no more', async () => {
  const shares = new Fairness({ concurrency: 16, concurrencyOfTenant: 8 });
  assert.is(await fill(shares, 'a'), 8);
});

fairness(
  'given tenants that keep all they are given, when ever more come, then they yield places as jobs end, and the next tenant finds one',
  async () => {
    const shares = new Fairness({ concurrency: 16, concurrencyOfTenant: 8 });
    const jobs = new Map<string, number>();
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
      jobs.set(tenant, await fill(shares, tenant));
      assert.ok(Number(jobs.get(tenant)) >= 1, tenant);
      // A job of each ends, and each takes what it may have.
      for (const [known, count] of jobs) {
        shares.done(known);
        jobs.set(known, count - 1 + (await fill(shares, known)));
      }
    }
  },
);

fairness('given one place, when it is free, then a tenant may have it', async () => {
  const shares = new Fairness({ concurrency: 1, concurrencyOfTenant: 1 });
  assert.is(await fill(shares, 'a'), 1);
});

fairness.run();
