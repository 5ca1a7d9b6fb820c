import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from '#domain/accountUpdater/cardNetwork.ts';
import { resultCodes } from '#domain/accountUpdater/resultCodes.ts';
import { cardTokenType } from '#domain/token/types/card.ts';
import { createSandboxNetworks } from '#infra/networks/sandbox/sandboxNetworks.ts';
import { testCards } from '#infra/networks/sandbox/testCards.ts';
import type { CardAnswer } from '#ports/cardNetworks.ts';

const sandbox = suite('sandbox of the networks');

async function answersTo(numbers: readonly string[], year = 2023): Promise<readonly CardAnswer[]> {
  const answer = await createSandboxNetworks().ask({
    id: '886313e1-3b8a-4372-9b90-0c9aee199e5d',
    tenantId: 'tenant',
    cards: numbers.map((number) => ({
      network: networkOf(number) ?? (assert.unreachable(number) as never),
      number,
      expiration: { month: 12, year },
      merchantId: '1234',
    })),
  });
  return answer.status === 'answered' ? answer.answers : (assert.unreachable() as never);
}

const documented: [number: string, answer: CardAnswer][] = [
  ['4111111111111111', { code: 'UPD_PAN', number: '4166676667666746' }],
  ['6011690151507086', { code: 'UPD_EXP_DATE', expiration: { month: 12, year: 2026 } }],
  ['6011760519541711', { code: 'UPD_BRAND_CONV' }],
  ['6011490740263725', { code: 'UPD_CORRECTED', expiration: { month: 12, year: 2026 } }],
  ['5461310156953048', { code: 'WRN_CLOSED_ACCOUNT' }],
  ['4929980395567582', { code: 'WRN_CONTACT_CARDHOLDER' }],
  ['4916725297925395', { code: 'WRN_ISSUER_NO_DATA' }],
  ['5580422612666704', { code: 'WRN_ISSUER_NOT_ENROLLED' }],
  ['4035501000000008', { code: 'WRN_OPT_OUT' }],
  ['6011178332216017', { code: 'ERR_UNDEFINED' }],
  ['6011648103759866', { code: 'ERR_INVALID_EXP_DATE' }],
  ['378025849667382', { code: 'ERR_INVALID_PAN' }],
  ['370000000000002', { code: 'ERR_INVALID_CONFIG' }],
  ['4711358892785746', { code: undefined }],
  ['4242424242424242', { code: undefined }],
];

sandbox('given the test cards, when they are asked about, then each has its documented answer', async () => {
  const answers = await answersTo(documented.map(([number]) => number));
  const clean = (answer: CardAnswer | undefined): unknown => JSON.parse(JSON.stringify(answer));
  for (const [index, [number, answer]] of documented.entries()) {
    assert.equal(clean(answers[index]), clean(answer), number);
  }
});

sandbox(
  'given a card whose update was corrected, when it is asked about, then it expires later',
  async () => {
    const [answer] = await answersTo(['6011490740263725'], 2040);
    assert.equal(answer?.expiration, { month: 12, year: 2043 });
  },
);

sandbox(
  'given all test cards, when their numbers are checked, then tokens can hold them, old and new',
  () => {
    for (const [number, { number: replacement = number, code }] of testCards) {
      for (const each of [number, replacement]) {
        assert.ok(networkOf(each) !== undefined, each);
        assert.not.ok('faults' in cardTokenType.check({ number: each }), each);
      }
      assert.ok(code === undefined || resultCodes.includes(code));
    }
  },
);

sandbox('given every code but that of unknown tokens, then a test card leads to it', () => {
  const reached = new Set([...testCards.values()].map(({ code }) => code));
  assert.equal(
    resultCodes.filter((code) => !reached.has(code)),
    ['ERR_INVALID_TOKEN'],
  );
});

sandbox.run();
