import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf } from '#test/sdk/support/node.ts';
import type { Context } from '#test/sdk/support/node.ts';
import { absentId, methodsOf } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';

const sdk = suite<Context>('node-sdk, 3-D Secure');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.clientOf = (key = '') => clientOf(key, context.service);
  context.vault = context.clientOf(context.service.credentials.private);
});
sdk.after(({ stop }) => stop());

sdk('given the library, then these are its operations on sessions', ({ vault }) => {
  assert.equal(methodsOf(vault.threeds.sessions), ['authenticate', 'create', 'get', 'getChallengeResult']);
});

sdk(
  'given a card that is challenged, when a session goes its way, then each answer is read by the library',
  async ({ vault, clientOf: as, service }) => {
    const data = { number: '4200000000000004', expiration_month: 12, expiration_year: 2030 };
    const { id: tokenId = '' } = await vault.tokens.create({ type: 'card', data });
    const created = await as(service.credentials.public).threeds.sessions.create({
      tokenId,
      device: 'browser',
    });
    assert.equal([created.cardBrand, created.recommendedVersion], ['visa', '2.2.0']);
    assert.match(created.methodUrl ?? '', /^http.*\/3ds\/sandbox\/method$/);
    const id = created.id ?? '';
    const challenged = await vault.threeds.sessions.authenticate(id, {
      authenticationCategory: 'payment',
      authenticationType: 'payment-transaction',
      purchaseInfo: { amount: '1050', currency: '840', exponent: '2', date: '20301231235959' },
    });
    assert.equal(
      [challenged.sessionId, challenged.tokenId, challenged.authenticationStatus],
      [id, tokenId, 'challenge'],
    );
    const { pathname } = new URL(challenged.acsChallengeUrl ?? '');
    await fetch(`http://localhost:${service.port}${pathname}?answer=completed`);
    const result = await vault.threeds.sessions.getChallengeResult(id);
    assert.equal([result.authenticationStatus, result.eci], ['successful', '05']);
    assert.type(result.authenticationValue, 'string');
    const session = await vault.threeds.sessions.get(id);
    assert.equal(
      [
        session.authentication,
        session.version?.recommendedVersion,
        session.method?.methodCompletionIndicator,
      ],
      [result, '2.2.0', 'Y'],
    );
  },
);

sdk('given a session that is not there, then the library says so', async ({ vault }) => {
  const failure = await failureOf(vault.threeds.sessions.get(absentId));
  assert.instance(failure, BasisTheory.NotFoundError);
});

sdk.run();
