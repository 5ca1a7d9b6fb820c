import Type from 'typebox';
import { closed } from '#http/schemas/closed.ts';
import { blankable } from '#http/schemas/emptyable.ts';
import { mapOf } from '#http/schemas/map.ts';

const settings = mapOf(Type.String({ maxLength: 400 }), {
  maxProperties: 50,
  propertyNames: Type.String({ maxLength: 100 }),
  description:
    'Texts by name. `deduplicate_tokens`, `bin_details`, `card_numbers_in_metadata`, `disable_ephemeral_proxy`, `sessions_may_reveal`: `true` or `false`; absent counts as `false`. `fingerprint_tokens`, `remove_cvc_after_authorization`: absent counts as `true`. `account_updater_merchants`: the merchants that rows of the account updater may name, by commas; absent: any. `allowed_destinations`: hosts that calls of the tenant may go to (`api.example.com,*.example.org`); absent: any. `allowed_destinations:<id>`: of these, the ones for an application, a reactor or a proxy.',
});

/** Source: reference of tenants. */
export const UpdateTenant = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    settings: Type.Optional(blankable(settings)),
  },
  ['owner_id', 'type'],
);

/** Source: reference of tenants. */
export const Tenant = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    owner_id: Type.String({
      format: 'uuid',
      description: 'The user who is the owner; the id of the tenant itself while no member is.',
    }),
    type: Type.Union([Type.Literal('test'), Type.Literal('production')], {
      description: '`production` where HOLDFAST_ENVIRONMENT is `prod` or `production`.',
    }),
    name: Type.String(),
    settings,
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Tenant' },
);

const count = Type.Integer();

/** Source: reference of tenants, usage report. */
export const UsageReport = Type.Object(
  {
    token_report: Type.Object({
      metrics_by_type: Type.Record(
        Type.String(),
        Type.Object({ count, last_created_at: Type.String({ format: 'date-time' }) }),
      ),
      included_monthly_active_tokens: count,
      monthly_active_tokens: Type.Integer({
        description: 'Tokens that were created, read or changed this month (UTC), up to about a minute ago.',
      }),
      total_tokens: count,
    }),
    total_tokens: count,
  },
  { $id: 'UsageReport' },
);
