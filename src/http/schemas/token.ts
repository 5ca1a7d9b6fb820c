import Type from 'typebox';
import { containerPath } from '#http/schemas/container.ts';
import { blankable, emptyable } from '#http/schemas/emptyable.ts';
import { mapOf } from '#http/schemas/map.ts';
import { nullable } from '#http/schemas/nullable.ts';
import { forbiddenInIds, idLength } from '#domain/token/id.ts';
import { classifications, impactLevels, restrictionPolicies } from '#domain/token/privacy.ts';
import { tokenTypeNames } from '#domain/token/types/index.ts';
import { limits } from '#expressions/limits.ts';

const any = (description: string) => Type.Unknown({ description });
const expression = (description: string) => Type.String({ maxLength: 400, description });

const count = (number: number): string => number.toLocaleString('en-US');

const id = Type.String({
  minLength: idLength.least,
  maxLength: idLength.most,
  description: `A value, or an expression over \`data\` that renders to one. It must not hold a card number, the data of the token, control characters, or any of ${forbiddenInIds.join(' ')}. Default: a random uuid.`,
  examples: ['order 7, card'],
});
const containers = Type.Array(containerPath('Kept in lower case.'), {
  maxItems: 10,
  description: 'Paths such as `/pci/high/`. Default: by type.',
});
const maskLimits = `At most ${count(limits.maskLength)} characters as JSON, ${limits.maskExpressions} expressions and ${limits.maskDepth} levels.`;
const mask = any(
  `What a caller with masked access sees: any JSON whose strings may hold expressions over \`data\`. ${maskLimits} Together they show at most ${count(limits.maskedLength)} characters, as JSON; what does not fit is left out.`,
);
const searchIndexes = Type.Array(expression('An expression over `data` to search by.'), { maxItems: 10 });
const fingerprintExpression = expression('What the fingerprint is taken of. Default: by type.');
const deduplicateToken = Type.Boolean({
  description: 'Whether to answer an existing token with this fingerprint instead of making another.',
});
const expiresAt = Type.String({
  maxLength: 100,
  description: 'ISO 8601, `8/26/2030 7:23:57 PM -07:00` or `9/27/2030`; UTC when there is no offset.',
  examples: ['2030-08-26T19:23:57-07:00'],
});

const oneOf = (values: readonly string[]) => Type.Optional(emptyable(Type.String({ enum: [...values] })));
const privacy = emptyable(
  Type.Object(
    {
      classification: oneOf(classifications),
      impact_level: oneOf(impactLevels),
      restriction_policy: oneOf(restrictionPolicies),
    },
    {
      additionalProperties: false,
      description:
        'How older client libraries say containers and mask: `pci` and `high` stand for the container `/pci/high/`, `redact` for no mask. What contradicts containers or mask is 400.',
    },
  ),
);

/** spec: Create Token */
export const CreateToken = Type.Object({
  id: Type.Optional(blankable(id)),
  type: Type.String({ description: `One of ${tokenTypeNames.join(', ')}.`, examples: ['card'] }),
  data: any(
    'What is to be kept: any JSON, as the type wants it. A number that a double does not carry exactly is 400: send it as a string.',
  ),
  mask: Type.Optional(mask),
  containers: Type.Optional(blankable(containers)),
  privacy: Type.Optional(privacy),
  metadata: Type.Optional(blankable(mapOf(Type.String(), { description: 'Not sensitive.' }))),
  search_indexes: Type.Optional(blankable(searchIndexes)),
  fingerprint_expression: Type.Optional(nullable(fingerprintExpression)),
  deduplicate_token: Type.Optional(blankable(deduplicateToken)),
  expires_at: Type.Optional(emptyable(expiresAt)),
});

/** spec: Update Token */
export const UpdateToken = Type.Object({
  data: Type.Optional(any('Merged into the data (RFC 7386).')),
  mask: Type.Optional(any(`Merged into the mask (RFC 7386). ${maskLimits}`)),
  metadata: Type.Optional(
    blankable(
      mapOf(nullable(Type.String()), {
        description: 'Merged into the metadata (RFC 7386).',
      }),
    ),
  ),
  containers: Type.Optional(blankable(containers)),
  privacy: Type.Optional(privacy),
  search_indexes: Type.Optional(blankable(searchIndexes)),
  fingerprint_expression: Type.Optional(nullable(fingerprintExpression)),
  deduplicate_token: Type.Optional(blankable(deduplicateToken)),
  expires_at: Type.Optional(emptyable(expiresAt)),
});

const Privacy = Type.Object(
  { classification: Type.String(), impact_level: Type.String(), restriction_policy: Type.String() },
  {
    description: 'Derived from containers and mask, where a container is of the form /pci/high/.',
  },
);

/** spec: Token */
export const Token = Type.Object(
  {
    id: Type.String(),
    tenant_id: Type.String({ format: 'uuid' }),
    type: Type.String(),
    data: Type.Optional(any("The data under the caller's transform.")),
    mask: Type.Optional(any('The mask expression.')),
    fingerprint: Type.Optional(
      Type.String({ description: 'The same for the same contents, within tenant and type.' }),
    ),
    containers: Type.Array(Type.String()),
    privacy: Type.Optional(Privacy),
    metadata: Type.Optional(mapOf(Type.String())),
    search_indexes: Type.Optional(Type.Array(Type.String())),
    fingerprint_expression: Type.String(),
    expires_at: Type.Optional(Type.String()),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Token' },
);

/** What a caller learns of a token that was there already, and that it may not read. */
const KnownToken = Type.Object(
  {
    id: Type.String(),
    tenant_id: Type.String({ format: 'uuid' }),
    type: Type.String(),
    fingerprint: Type.Optional(Type.String()),
    containers: Type.Array(Type.String()),
  },
  { $id: 'KnownToken', description: 'A token that was there already, and that the caller may not read.' },
);

/** What a create or an update answers: with `deduplicate_token` it may be another token. */
export const WrittenToken = Type.Union([Token, KnownToken]);
