import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const applicationStream = (tenantId: string, id: string): string => `application-${tenantId}.${id}`;

export const ApplicationType = Type.Union([
  Type.Literal('public'),
  Type.Literal('private'),
  Type.Literal('management'),
]);
export type ApplicationType = Static<typeof ApplicationType>;

/** How much of a token's data a caller is shown. */
export const Transform = Type.Union([Type.Literal('redact'), Type.Literal('mask'), Type.Literal('reveal')]);
export type Transform = Static<typeof Transform>;

export const AccessRule = Type.Object({
  description: Type.String(),
  /** 1 is looked at first; unique within the application. */
  priority: Type.Integer(),
  /** A container path; the rule covers it and everything below. */
  container: Type.String(),
  transform: Transform,
  permissions: Type.Array(Type.String()),
});
export type AccessRule = Static<typeof AccessRule>;

const rights = {
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  rules: Type.Array(AccessRule),
  /** Holds whatever its type may hold, also what later versions add (the applications of `dev`). */
  every_permission: Type.Boolean(),
  /** Whether answers show it fingerprints, and tokens found by them, that it may not read. */
  public_fingerprints: Type.Boolean(),
  /** Pages of other origins are refused; empty: of none. */
  origins: Type.Array(Type.String()),
};

/** Version 1 left out what was false, and what was empty. */
export const withEveryRight = (data: Record<string, unknown>): Record<string, unknown> => ({
  every_permission: false,
  public_fingerprints: false,
  origins: [],
  ...data,
});

export const ApplicationCreated = Type.Object({
  id: Type.String(),
  type: ApplicationType,
  ...rights,
  /** ISO 8601. */
  expires_at: Type.Optional(Type.String()),
});
export const ApplicationUpdated = Type.Object({ id: Type.String(), ...rights });
export const ApplicationDeleted = Type.Object({
  id: Type.String(),
  reason: Type.Union([Type.Literal('requested'), Type.Literal('expired')]),
  /** The keys that went with it. */
  key_ids: Type.Array(Type.String()),
});
export const ApplicationKeyCreated = Type.Object({ id: Type.String(), key_id: Type.String() });
export const ApplicationKeyDeleted = Type.Object({ id: Type.String(), key_id: Type.String() });

/** Says nothing new: its metadata has the MAC over what events before it left, which had none. */
export const ApplicationSigned = Type.Object({ id: Type.String() });

export type ApplicationEvent =
  | DomainEvent<'application.created', Static<typeof ApplicationCreated>>
  | DomainEvent<'application.updated', Static<typeof ApplicationUpdated>>
  | DomainEvent<'application.deleted', Static<typeof ApplicationDeleted>>
  | DomainEvent<'application.key.created', Static<typeof ApplicationKeyCreated>>
  | DomainEvent<'application.key.deleted', Static<typeof ApplicationKeyDeleted>>
  | DomainEvent<'application.signed', Static<typeof ApplicationSigned>>;
