import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Problem = { errors: Record<string, string[]> };

let service: VaultService;
const sessions = suite('rights of sessions');

sessions.before(async () => {
  service = await startVaultService();
});
sessions.after(() => service.close());

const rule = (changes: object) => ({
  priority: 1,
  transform: 'reveal',
  permissions: ['token:read'],
  ...changes,
});
const idEquals = (value: string) => ({ attribute: 'id', operator: 'equals', value });

const bad: [string, object, string][] = [
  ['nothing to give', {}, 'permissions'],
  ['an unknown permission', { permissions: ['token:fly'] }, 'permissions[0]'],
  ['a permission of management', { permissions: ['application:read'] }, 'permissions[0]'],
  ['no priority', { rules: [rule({ container: '/', priority: undefined })] }, 'rules[0].priority'],
  [
    'a priority twice',
    { rules: [rule({ container: '/' }), rule({ container: '/a/' })] },
    'rules[1].priority',
  ],
  ['neither container nor conditions', { rules: [rule({})] }, 'rules[0].container'],
  [
    'both container and conditions',
    { rules: [rule({ container: '/', conditions: [idEquals('a')] })] },
    'rules[0].container',
  ],
  ['no conditions in the list', { rules: [rule({ conditions: [] })] }, 'rules[0].container'],
  [
    'an unknown attribute',
    { rules: [rule({ conditions: [{ ...idEquals('a'), attribute: 'type' }] })] },
    'rules[0].conditions[0].attribute',
  ],
  [
    'an unknown operator',
    { rules: [rule({ conditions: [{ ...idEquals('a'), operator: 'like' }] })] },
    'rules[0].conditions[0].operator',
  ],
  [
    'a container that is none',
    { rules: [rule({ conditions: [{ attribute: 'container', operator: 'equals', value: 'pci' }] })] },
    'rules[0].conditions[0].value',
  ],
  ['an expiry in centuries', { permissions: ['token:read'], expires_at: '2999-01-01' }, 'expires_at'],
  ['an expiry in the past', { permissions: ['token:read'], expires_at: '2020-01-01' }, 'expires_at'],
];
for (const [what, rights, path] of bad) {
  sessions(`given ${what}, when a session is authorized, then 400 names ${path}`, async () => {
    const opened = await service.call<{ nonce: string }>('POST', '/sessions', undefined, {
      key: service.keys.public,
    });
    const body = { nonce: opened.body.nonce, ...rights };
    const reply = await service.call<Problem>('POST', '/sessions/authorize', body);
    assert.is(reply.status, 400);
    assert.ok(path in reply.body.errors, JSON.stringify(reply.body.errors));
  });
}

sessions.run();
