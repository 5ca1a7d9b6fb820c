import type { JobEvent } from '#domain/accountUpdater/events.ts';
import { unreachable } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorOf } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'account_updater_jobs';

/** The jobs that there are; how far one is, its stream tells. */
export const accountUpdaterJobsProjection: Projection = {
  name: 'account_updater_jobs',
  version: 1,
  tables: [
    {
      name: table,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'uuid',
        status: 'text',
        expires_at: 'timestamptz',
        errors: 'text[]',
        created_by: 'uuid',
        created_at: 'timestamptz',
        ordinal: 'int8',
      },
      notNull: ['status', 'expires_at', 'created_at', 'ordinal'],
      indexes: [
        'create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)',
        `create index %i_open on %t (status, expires_at, id) where status in ('pending', 'processing')`,
      ],
    },
  ],
  handles: [
    'account-updater.job.created',
    'account-updater.job.uploaded',
    'account-updater.job.completed',
    'account-updater.job.failed',
    'account-updater.job.expired',
  ],
  apply: (event) => changes(event as unknown as RecordedEvent & JobEvent),
};

function changes(event: RecordedEvent & JobEvent): RowChange[] {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'account-updater.job.created': {
      const { expires_at } = event.data;
      const made = { created_by: authorOf(event), created_at: event.metadata.occurred_at };
      const row = { ...key, status: 'pending', expires_at, errors: null, ...made, ordinal: event.ordinal };
      return [{ op: 'upsert', table, row }];
    }
    case 'account-updater.job.uploaded':
      return [{ op: 'patch', table, key, set: { status: 'processing' } }];
    case 'account-updater.job.completed':
      return [{ op: 'patch', table, key, set: { status: 'completed' } }];
    case 'account-updater.job.failed':
      return [{ op: 'patch', table, key, set: { status: 'failed', errors: event.data.errors } }];
    case 'account-updater.job.expired':
      return [{ op: 'remove', table, key }];
    case 'account-updater.job.started':
    case 'account-updater.job.chunk.answered':
    case 'account-updater.job.chunk.completed':
      return [];
    default:
      return unreachable(event);
  }
}
