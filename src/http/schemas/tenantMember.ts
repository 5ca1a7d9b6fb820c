import Type from 'typebox';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { role } from '#http/schemas/tenantInvitation.ts';

/** Source: reference of members. */
export const UpdateTenantMember = closed({ role: emptyable(role) }, ['user', 'created_date']);

const User = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  },
  { $id: 'User' },
);

/** Source: reference of members. */
export const TenantMember = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    tenant_id: Type.String({ format: 'uuid' }),
    user: User,
    role: Type.String(),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    created_date: Type.String({ format: 'date-time', description: 'The same as `created_at`.' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'TenantMember' },
);
