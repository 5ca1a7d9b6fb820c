import * as assert from 'uvu/assert';
import type { Subject } from '#test/canaries/support/subject.ts';

type Application = { id: string; key: string };

/** Keys of applications and sessions, which are shown once, when they are made. */
export async function useRights({ ask, canaries, keys }: Subject): Promise<void> {
  const rights = { name: 'keys', type: 'private', permissions: ['token:read'] };
  const asking = { key: keys.management, shows: true };
  const application = await ask<Application>('POST', '/applications', { ...asking, body: rights });
  assert.is(application.status, 201, JSON.stringify(application.body));
  const further = await ask<Application>('POST', `/applications/${application.body.id}/keys`, asking);
  for (const { key } of [application.body, further.body]) {
    canaries.add({ kind: 'key', value: key, spot: 'the key of an application' });
    await ask('GET', '/tokens', { key });
    await ask('GET', '/applications', { key });
    await ask('GET', `/tokens/${key}`, { key });
    await ask('GET', `/tokens?id=${key}`, { key });
    // In the wrong place, and spoilt: neither may be written down.
    await ask('GET', '/tokens', { headers: { Authorization: `Bearer ${key}`, Cookie: `key=${key}` } });
  }
  await ask('GET', `/applications/${application.body.id}`, { key: keys.management });
  const session = await ask<{ session_key: string; nonce: string }>('POST', '/sessions', {
    key: keys.public,
    shows: true,
  });
  const { session_key, nonce } = session.body;
  canaries.add({ kind: 'key', value: session_key, spot: 'POST /sessions: its key' });
  const body = { nonce, permissions: ['token:read'] };
  assert.is((await ask('POST', '/sessions/authorize', { body })).status, 200);
  await ask('GET', '/tokens', { key: session_key });
}
