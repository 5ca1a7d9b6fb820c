import Type from 'typebox';
import { mapOf } from '#http/schemas/map.ts';
import { nullable } from '#http/schemas/nullable.ts';

const settings = mapOf(Type.String(), {
  description:
    'Texts by name. `deduplicate_tokens`, `bin_details`: `true` or `false`; absent counts as `false`.',
});

/** Source: reference of tenants. */
export const UpdateTenant = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  settings: Type.Optional(nullable(settings)),
});

/** Source: reference of tenants. */
export const Tenant = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    settings,
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Tenant' },
);
