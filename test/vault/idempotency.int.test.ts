import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Idempotency, IdempotencyScope } from '#ports/idempotency.ts';
import { createIdempotency } from '#infra/vault/idempotency/idempotency.ts';
import { sweepExpired } from '#infra/vault/sweeps/sweepExpired.ts';
import { sweepIdempotencyKeys } from '#infra/vault/sweeps/sweepIdempotencyKeys.ts';
import { createVaultFixture, failureOf } from '#test/vault/support/fixture.ts';

const test = suite('idempotency');
const fixture = await createVaultFixture();
const { vault, clock } = fixture;
const { owner, api } = fixture.database.pools;
const tenantId = await fixture.newTenant();
const hour = 60 * 60_000;
const newProcess = (): Idempotency => createIdempotency({ pool: api, vault, clock });
const here = newProcess();
const newScope = (): IdempotencyScope => ({
  tenantId,
  applicationId: randomUUID(),
  method: 'POST',
  route: '/tokens',
  key: randomUUID(),
});
/** Lets so many seconds go by for every lease. */
const age = async (seconds: number): Promise<void> => {
  await owner.query(
    'update work.idempotency_keys set lease_until = lease_until - make_interval(secs => $1)',
    [seconds],
  );
};
const run = async (idempotency: Idempotency, scope: IdempotencyScope): Promise<string> => {
  const claim = await idempotency.claim(scope);
  if (claim.outcome !== 'run') throw new Error(`the claim was ${claim.outcome}`);
  return claim.commandId;
};

test('given 50 concurrent claims of one key in three processes, then exactly one runs', async () => {
  for (let round = 0; round < 10; round += 1) {
    const scope = newScope();
    const processes = [newProcess(), newProcess(), newProcess()];
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (processes[index % 3] ?? here).claim({ ...scope })),
    );
    assert.is(claims.filter(({ outcome }) => outcome === 'run').length, 1);
    assert.is(claims.filter(({ outcome }) => outcome === 'in_flight').length, 49);
  }
});

test('given 200 concurrent claims of different keys, then all run under commands of their own', async () => {
  const commands = await Promise.all(Array.from({ length: 200 }, () => run(here, newScope())));
  assert.is(new Set(commands).size, 200);
});

test('given a success, when the key comes again, also elsewhere, then the first answer is given', async () => {
  const scope = newScope();
  await run(here, scope);
  const answer = { status: 201, body: { id: 'a', data: null } };
  await here.succeed(scope, answer, false);
  assert.equal(await here.claim(scope), { outcome: 'answered', answer });
  assert.equal(await newProcess().claim({ ...scope }), { outcome: 'answered', answer });
});

test('given a success without a body, when the key comes again, then there is none', async () => {
  const scope = newScope();
  await run(here, scope);
  await here.succeed(scope, { status: 204, body: undefined }, false);
  assert.equal(await here.claim(scope), { outcome: 'answered', answer: { status: 204, body: undefined } });
});

test('given another application, method, route, key or tenant, then it is another claim', async () => {
  const scope = newScope();
  const other = await fixture.newTenant();
  const commands = [await run(here, scope)];
  for (const different of [
    { applicationId: randomUUID() },
    { method: 'PUT' },
    { route: '/tokens/a' },
    { key: 'b' },
    { tenantId: other },
  ]) {
    commands.push(await run(here, { ...scope, ...different }));
  }
  assert.is(new Set(commands).size, 6);
});

test('given a release, when the key comes again, then it runs under a fresh command', async () => {
  const scope = newScope();
  const first = await run(here, scope);
  await here.release(scope);
  const second = await run(newProcess(), scope);
  assert.is.not(second, first);
});

test('given an unknown outcome, when the key comes again, then its command runs again at once, and says so', async () => {
  const scope = newScope();
  const command = await run(here, scope);
  await here.abandon(scope);
  const claims = await Promise.all([newProcess().claim({ ...scope }), newProcess().claim({ ...scope })]);
  assert.equal(
    claims.filter(({ outcome }) => outcome === 'run'),
    [{ outcome: 'run', commandId: command, repeated: true }],
  );
});

test('given a holder whose lease was taken over, when it learns of its failure, then the lease stays', async () => {
  const scope = newScope();
  const silent = newProcess();
  await run(silent, scope);
  await age(30);
  await run(here, { ...scope });
  await silent.abandon(scope);
  assert.is((await here.claim({ ...scope })).outcome, 'in_flight');
});

test('given a holder that went silent, when 30 s have passed, then another process takes over its command', async () => {
  const scope = newScope();
  const silent = newProcess();
  const command = await run(silent, scope);
  // The clocks of the hosts say nothing.
  clock.advance(hour);
  await age(20);
  assert.is((await here.claim(scope)).outcome, 'in_flight');
  await age(10);
  assert.is(await run(here, scope), command);

  await silent.release(scope);
  assert.is((await newProcess().claim(scope)).outcome, 'in_flight');
  await here.succeed(scope, { status: 200, body: 1 }, false);
  assert.is((await newProcess().claim(scope)).outcome, 'answered');
});

test('given a claim that was never ended, when 30 s have passed, then the same process takes it over too', async () => {
  const scope = newScope();
  const command = await run(here, scope);
  const [late, retried] = [scope, { ...scope }];
  // The clocks of the hosts say nothing.
  clock.advance(hour);
  await age(20);
  assert.is((await here.claim({ ...scope })).outcome, 'in_flight');
  await age(10);
  assert.is(await run(here, retried), command);
  await here.release(late);
  assert.is((await here.claim({ ...scope })).outcome, 'in_flight');
  await here.release(retried);
  assert.is.not(await run(here, { ...scope }), command);
});

test('given a silent holder that wakes with an answer after a take-over, then the answer of the new one counts', async () => {
  const scope = newScope();
  const silent = newProcess();
  await run(silent, scope);
  await age(30);
  await run(here, scope);
  await silent.succeed(scope, { status: 200, body: 'late' }, false);
  await here.succeed(scope, { status: 200, body: 'new' }, false);
  assert.equal(await here.claim(scope), { outcome: 'answered', answer: { status: 200, body: 'new' } });
});

test('given a sensitive answer, when an hour has passed, then it is gone and the same command may run', async () => {
  const scope = newScope();
  const command = await run(here, scope);
  await here.succeed(scope, { status: 200, body: 'secret' }, true);
  clock.advance(hour - 1);
  assert.is((await here.claim(scope)).outcome, 'answered');
  clock.advance(1);
  await sweepExpired(owner, clock.now());
  const claims = await Promise.all([here, newProcess(), newProcess()].map((each) => each.claim(scope)));
  const ran = claims.filter((claim) => claim.outcome === 'run');
  assert.equal(ran, [{ outcome: 'run', commandId: command, repeated: true }]);
});

test('given a day has passed, when the key comes again, then it runs anew, swept or not', async () => {
  const [unswept, swept] = [newScope(), newScope()];
  const commands = [await run(here, unswept), await run(here, swept)];
  await here.succeed(unswept, { status: 200, body: 1 }, false);
  await here.succeed(swept, { status: 200, body: 1 }, false);
  clock.advance(24 * hour - 1);
  assert.is((await here.claim(unswept)).outcome, 'answered');
  clock.advance(1);
  commands.push(await run(here, unswept));
  assert.ok((await sweepIdempotencyKeys(owner, clock.now())) >= 1);
  commands.push(await run(here, swept));
  assert.is(new Set(commands).size, 4);
});

test('given an end without a claim, then it is an error', async () => {
  assert.match((await failureOf(here.release(newScope()))).message, /without a claim/);
});

test('given keys and answers with secrets, when the tables are scanned, then none is found', async () => {
  const scope = { ...newScope(), key: '4111111111111111', route: '/tokens/5555555555554444' };
  await run(here, scope);
  await here.succeed(scope, { status: 200, body: { number: '378282246310005' } }, true);
  const { rows } = await owner.query<{ line: string }>(
    'select k::text as line from work.idempotency_keys k union all select p::text from vault.payloads p',
  );
  const content = rows.map(({ line }) => line).join('\n');
  for (const secret of ['4111111111111111', '5555555555554444', '378282246310005']) {
    assert.not.ok(content.includes(secret));
    assert.not.ok(content.includes(Buffer.from(secret).toString('hex')));
  }
});

test('given the api role, when it names no tenant, then it sees no claim', async () => {
  await run(here, newScope());
  const { rows } = await api.query('select from work.idempotency_keys');
  assert.is(rows.length, 0);
});

test.after(fixture.close);
test.run();
