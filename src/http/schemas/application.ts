import Type from 'typebox';
import { ApplicationType, Transform } from '#domain/application/events.ts';
import { closed } from '#http/schemas/closed.ts';
import { containerPath } from '#http/schemas/container.ts';
import { blankable, emptyable, unwritten } from '#http/schemas/emptyable.ts';
import { nullable } from '#http/schemas/nullable.ts';

const name = Type.String({ minLength: 1, maxLength: 200 });
const permissions = Type.Array(Type.String(), { maxItems: 50, examples: [['token:create', 'token:read']] });

export const AccessRule = Type.Object({
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  priority: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: '1 is looked at first; unique within the application.',
  }),
  container: containerPath('Covers this container and everything below it.'),
  transform: Transform,
  permissions: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
});
const rule = Type.Object(
  {
    ...AccessRule.properties,
    conditions: Type.Optional(Type.Unknown({ description: 'Of rules of sessions. Empty, or absent.' })),
  },
  // A restriction that is misspelt must not be overlooked.
  { additionalProperties: false },
);
const rules = Type.Array(rule, { maxItems: 100 });
const shownOnly = ['key', 'keys'];

const publicFingerprints = Type.Boolean({
  description:
    'Whether it is told fingerprints with a public key, and which token holds the same data, where it may not read that token: with them, numbers can be guessed. Default: no.',
});

const origins = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: 100,
  description:
    'Of a public application: the origins whose pages may use its keys, and those of its sessions. Pages of others are refused with 403. Default: any.',
  examples: [['https://shop.example']],
});

/** spec: Create Application */
export const CreateApplication = closed(
  {
    name,
    type: ApplicationType,
    permissions: Type.Optional(unwritten(permissions)),
    rules: Type.Optional(unwritten(rules)),
    public_fingerprints: Type.Optional(blankable(publicFingerprints)),
    origins: Type.Optional(unwritten(origins)),
    expires_at: Type.Optional(emptyable(Type.String({ maxLength: 100, description: 'ISO 8601.' }))),
    create_key: Type.Optional(blankable(Type.Boolean({ default: true }))),
  },
  shownOnly,
);

/** spec: Update Application */
export const UpdateApplication = closed(
  {
    name,
    permissions: Type.Optional(unwritten(permissions)),
    rules: Type.Optional(unwritten(rules)),
    public_fingerprints: Type.Optional(blankable(publicFingerprints)),
    origins: Type.Optional(unwritten(origins)),
    type: Type.Optional(emptyable(Type.String({ maxLength: 50, description: 'It cannot be changed.' }))),
    expires_at: Type.Optional(
      emptyable(Type.String({ maxLength: 100, description: 'It cannot be changed.' })),
    ),
  },
  [...shownOnly, 'create_key'],
);

export const ApplicationKey = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    tenant_id: Type.Optional(Type.String({ format: 'uuid' })),
    key: Type.Optional(Type.String({ description: 'The secret: shown once, when the key is made.' })),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'To about ten seconds; absent: never used.' }),
    ),
  },
  { $id: 'ApplicationKey' },
);

const described = {
  id: Type.String({ format: 'uuid' }),
  tenant_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  type: ApplicationType,
  permissions: Type.Array(Type.String()),
  rules: Type.Array(AccessRule),
  public_fingerprints: Type.Optional(publicFingerprints),
  origins: Type.Optional(origins),
  expires_at: Type.Optional(Type.String()),
  created_by: Type.Optional(Type.String({ format: 'uuid' })),
  created_at: Type.String({ format: 'date-time' }),
  modified_by: Type.Optional(Type.String({ format: 'uuid' })),
  modified_at: Type.Optional(Type.String({ format: 'date-time' })),
};

/** spec: Application */
export const Application = Type.Object(
  {
    ...described,
    key: Type.Optional(Type.String({ description: 'The secret of the first key: shown once, on creation.' })),
    keys: Type.Array(ApplicationKey),
  },
  { $id: 'Application' },
);

/** An application inside of what uses it. spec: Reactor */
export const UsedApplication = Type.Object(described, {
  $id: 'UsedApplication',
  description: 'An application without its keys.',
});
