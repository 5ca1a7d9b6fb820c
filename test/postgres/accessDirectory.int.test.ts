import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccessDirectory } from '#infra/postgres/accessDirectory.ts';
import type { ApplicationEvent } from '#domain/application/events.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import type { ReadModels } from '#ports/readModels.ts';

/** What the view has of the application `a1` and its tenant. */
type Row = { expires_at: string | null; permissions: string[]; settings?: object };

const viewed = ({ settings = {}, ...row }: Row) => ({
  key: 'k1',
  rights: {
    id: 'a1',
    type: 'private',
    rules: [],
    every_permission: false,
    public_fingerprints: false,
    origins: [],
    keys: [{ id: 'k1' }],
    revision: '1',
    mac: '',
    ...row,
  },
  owner: { settings, revision: '0', mac: '' },
});

/** The outside of the directory, with switches. */
function outside() {
  const state = {
    now: new Date('2026-01-01T00:00:00Z'),
    heardAt: performance.now(),
    row: { permissions: ['token:read'], expires_at: null } as Row | undefined,
    reads: 0,
    touched: [] as string[],
    isDown: false,
    stream: [] as Pick<ApplicationEvent, 'type' | 'data' | 'metadata'>[],
    tenantStream: [] as Pick<TenantEvent, 'type' | 'data' | 'metadata'>[],
    invalidate: (_ids: readonly string[] | 'all'): void => undefined,
  };
  const credentials: Pick<Credentials, 'find' | 'wellFormed' | 'isSession' | 'isProxy'> = {
    isSession: () => false,
    isProxy: () => false,
    wellFormed: (key) => key.startsWith('key_'),
    find: (key) => {
      state.reads++;
      if (state.isDown) return Promise.reject(new StoreUnavailable('gone'));
      return Promise.resolve(
        key === 'key_1' ? { tenantId: 't1', applicationId: 'a1', keyId: 'k1' } : undefined,
      );
    },
  };
  const readModels = { row: () => Promise.resolve(state.row && viewed(state.row)) } as unknown as ReadModels;
  const log = {
    readStream: (stream: string, from?: bigint) => {
      if (from !== undefined) return Promise.resolve([]);
      return Promise.resolve(stream.startsWith('application-') ? state.stream : state.tenantStream);
    },
  } as unknown as EventLog;
  const directory = createAccessDirectory({
    credentials: credentials as Credentials,
    readModels,
    log,
    clock: { now: () => state.now },
    stateSigner: { sign: () => Promise.resolve(''), check: () => Promise.resolve() },
    integrityAlarm: () => undefined,
    keyUses: { touch: (_tenantId, keyId) => void state.touched.push(keyId) },
    feed: {
      lastHeardAt: () => state.heardAt,
      onInvalidation: (listener) => {
        state.invalidate = listener;
      },
    },
  });
  return { state, directory };
}

const access = suite('access directory');

access('given a key that opened something, when it comes again, then nothing is read', async () => {
  const { state, directory } = outside();
  assert.is((await directory.find('key_1'))?.applicationId, 'a1');
  assert.is((await directory.find('key_1'))?.applicationId, 'a1');
  assert.is(state.reads, 1);
});

access('given a key that opens nothing, when it comes again, then it is looked up again', async () => {
  const { state, directory } = outside();
  assert.is(await directory.find('key_2'), undefined);
  assert.is(await directory.find('key_2'), undefined);
  assert.is(state.reads, 2);
});

access('given a text that is no key, when it comes, then nothing is looked up', async () => {
  const { state, directory } = outside();
  assert.is(await directory.find('password'), undefined);
  assert.is(state.reads, 0);
});

access(
  'given a change of the settings of a tenant, when it is told, then the next call sees it',
  async () => {
    const { state, directory } = outside();
    await directory.find('key_1');
    state.row = { expires_at: null, permissions: [], settings: { deduplicate_tokens: 'true' } };
    state.invalidate(['t1']);
    assert.equal((await directory.find('key_1'))?.tenantSettings, { deduplicate_tokens: 'true' });
  },
);

access('given a change of rights, when it is told, then the next call sees it', async () => {
  const { state, directory } = outside();
  await directory.find('key_1');
  state.row = { ...state.row, expires_at: null, permissions: [] };
  state.invalidate(['a1']);
  assert.equal((await directory.find('key_1'))?.permissions, []);
});

access('given a change that is told while a key is looked up, then what was read is not kept', async () => {
  const { state, directory } = outside();
  const finding = directory.find('key_1');
  state.invalidate('all');
  await finding;
  await directory.find('key_1');
  assert.is(state.reads, 2);
});

access(
  'given silence for more than a second, when a known key comes, then it is looked up again',
  async () => {
    const { state, directory } = outside();
    await directory.find('key_1');
    state.heardAt = performance.now() - 1_001;
    await directory.find('key_1');
    assert.is(state.reads, 2);
  },
);

access(
  'given silence and no database, when a known key comes, then the store is unavailable, not the key good',
  async () => {
    const { state, directory } = outside();
    await directory.find('key_1');
    state.heardAt = performance.now() - 1_001;
    state.isDown = true;
    let thrown: unknown;
    await directory.find('key_1').catch((error: unknown) => {
      thrown = error;
    });
    assert.instance(thrown, StoreUnavailable);
  },
);

access(
  'given an application whose time comes, when its key is known, then it opens nothing from then on',
  async () => {
    const { state, directory } = outside();
    state.row = { ...state.row, permissions: [], expires_at: '2026-01-01T00:00:10Z' };
    assert.ok(await directory.find('key_1'));
    state.now = new Date('2026-01-01T00:00:10Z');
    assert.is(await directory.find('key_1'), undefined);
  },
);

access('given a view that is behind a new key, when the key comes, then its stream is asked', async () => {
  const { state, directory } = outside();
  state.row = undefined;
  assert.is(await directory.find('key_1'), undefined);
  const metadata = {
    tenant_id: 't1',
    actor: { type: 'system', id: 'x' },
    occurred_at: '2026-01-01T00:00:00Z',
  } as const;
  state.tenantStream = [{ type: 'tenant.created', data: { id: 't1', name: 'x' }, metadata }];
  state.stream = [
    {
      type: 'application.created',
      data: { id: 'a1', type: 'private', name: 'x', permissions: ['token:read'], rules: [], origins: [] },
      metadata,
    },
    { type: 'application.key.created', data: { id: 'a1', key_id: 'k1' }, metadata },
  ];
  assert.equal((await directory.find('key_1'))?.permissions, ['token:read']);
  // A tenant that is gone has no applications.
  state.tenantStream = [];
  state.invalidate('all');
  assert.is(await directory.find('key_1'), undefined);
});

access(
  'given an application, when code runs for it again, then nothing is read and no key is used',
  async () => {
    const { state, directory } = outside();
    const caller = await directory.ofApplication('t1', 'a1');
    assert.equal([caller?.tenantId, caller?.applicationId, caller?.keyId], ['t1', 'a1', '']);
    state.row = { expires_at: null, permissions: [] };
    assert.is(await directory.ofApplication('t1', 'a1'), caller);
    assert.equal(state.touched, []);
  },
);

access('given an application that changes, when that is told, then code sees its new rights', async () => {
  const { state, directory } = outside();
  await directory.ofApplication('t1', 'a1');
  state.row = { expires_at: '2026-01-01T00:00:10Z', permissions: [] };
  state.invalidate(['a1']);
  assert.equal((await directory.ofApplication('t1', 'a1'))?.permissions, []);
  state.now = new Date('2026-01-01T00:00:10Z');
  assert.is(await directory.ofApplication('t1', 'a1'), undefined);
  state.row = undefined;
  state.invalidate('all');
  assert.is(await directory.ofApplication('t1', 'a1'), undefined);
});

access.run();
