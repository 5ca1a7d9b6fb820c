import * as assert from 'uvu/assert';
import { tokenStream } from '#domain/token/events.ts';
import { tailLength } from '#src/eventsToFold.ts';
import { randomId } from '#src/identifiers.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; tenant_id: string; metadata: Record<string, string>; created_at: string };

const atOnce = 500;

/** Makes a token whose stream has at least so many updates, as a counter in its metadata leaves them. */
export async function newLongToken(service: VaultService, updates: number): Promise<Token> {
  const { body: token } = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'plain' });
  await service.call('PATCH', `/tokens/${token.id}`, { metadata: { count: '0' } });
  const { writtenLog } = service.composition;
  const stream = tokenStream(token.tenant_id, token.id);
  const events = await writtenLog.readStream(stream);
  const last = events.at(-1);
  assert.ok(last);
  for (let written = 1, { revision } = last; written < updates; written += atOnce) {
    const more = Array.from({ length: atOnce }, (_, index) => ({
      id: randomId(),
      type: last.type,
      data: {
        ...last.data,
        metadata: { count: String(written + index) },
        // The payload stays the one that there is.
        previous_payload_id: randomId(),
      },
      metadata: { ...last.metadata, command_id: randomId() },
    }));
    ({ revision } = await writtenLog.append(stream, revision, more));
  }
  return token;
}

/** A token with a long past is changed, read and deleted as any other, and only its last events are read for that. */
export async function checkLongToken(service: VaultService, updates: number): Promise<void> {
  const { id, tenant_id, created_at } = await newLongToken(service, updates);
  const { log } = service.composition;
  assert.is((await log.readStreamEnd(tokenStream(tenant_id, id), tailLength)).length, tailLength);
  const readStream = log.readStream.bind(log);
  const whole: string[] = [];
  log.readStream = (stream, from) => {
    if (stream === tokenStream(tenant_id, id) && from === undefined) whole.push(stream);
    return readStream(stream, from);
  };
  try {
    const changed = await service.call<Token>('PATCH', `/tokens/${id}`, { metadata: { last: 'one' } });
    assert.is(changed.status, 200, JSON.stringify(changed.body));
    assert.is(changed.body.metadata['last'], 'one');
    assert.is(Number(changed.body.metadata['count']) >= updates - 1, true);
    assert.is(changed.body.created_at, created_at);
    const read = await service.call<Token & { data: string }>('GET', `/tokens/${id}`, undefined, {
      key: service.keys.private,
    });
    assert.equal([read.status, read.body.metadata['last']], [200, 'one']);
    assert.is((await service.call('DELETE', `/tokens/${id}`)).status, 204);
    assert.is((await service.call('GET', `/tokens/${id}`)).status, 404);
    assert.equal(whole, []);
  } finally {
    log.readStream = readStream;
  }
}
