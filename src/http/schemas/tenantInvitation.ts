import Type from 'typebox';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';

/** Longer texts are neither address nor role; what else is wrong with one, the command says. In characters. */
const longest = { email: 254, role: 50 };

export const role = Type.String({
  maxLength: longest.role,
  description: 'Capital letters and underscores. A role is on record only: members sign in nowhere here.',
  examples: ['ADMIN'],
});

/** Source: reference of invitations. */
export const CreateTenantInvitation = closed(
  {
    email: Type.String({ maxLength: longest.email, examples: ['jane@example.com'] }),
    role: Type.Optional(emptyable(role)),
  },
  ['status', 'expires_at'],
);

/** An invitation is expired seven days after it was created or resent last. */
export const TenantInvitationStatus = Type.Union([Type.Literal('PENDING'), Type.Literal('EXPIRED')]);

/** Source: reference of invitations. */
export const TenantInvitation = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    tenant_id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: Type.String(),
    status: TenantInvitationStatus,
    expires_at: Type.String({ format: 'date-time' }),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'TenantInvitation' },
);
