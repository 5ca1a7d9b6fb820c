import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';

const numbers = suite('http: numbers');

const message = 'must be a number that a double carries exactly: send it as a string';

numbers('given a token with such a number, when it is created or changed, then nothing is', async () => {
  const service = await startVaultService();
  const bytes = (text: string): Buffer => Buffer.from(text);
  const refused = await service.call<{ errors: object }>(
    'POST',
    '/tokens',
    bytes('{"type":"token","data":{"acct":12345678901234567890,"f":0.1234567890123456789,"n":-0}}'),
  );
  assert.is(refused.status, 400);
  assert.equal(refused.body.errors, { 'data.acct': [message], 'data.f': [message] });
  const { body } = await service.call<{ id: string }>('POST', '/tokens', {
    type: 'token',
    data: { acct: 1 },
  });
  const patch = bytes('{"data":{"acct":9007199254740993}}');
  assert.is((await service.call('PATCH', `/tokens/${body.id}`, patch)).status, 400);
  const query = bytes('{"value":[9007199254740993]}');
  assert.is((await service.call('POST', '/detokenize', query)).status, 400);
  await service.close();
});

numbers.run();
