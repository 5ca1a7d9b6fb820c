import Type from 'typebox';
import { proxyLimits } from '#domain/proxy/limits.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { mapOf } from '#http/schemas/map.ts';
import { nullable } from '#http/schemas/nullable.ts';

const { nameLength, codeLength, configurationEntries, destinationLength } = proxyLimits;
const name = Type.String({ minLength: 1, maxLength: nameLength });
const destinationUrl = Type.String({
  minLength: 1,
  maxLength: destinationLength,
  description: 'An https URL with a host name; paths and queries of requests are put after it.',
  examples: ['https://example.com/api'],
});
const code = Type.String({
  minLength: 1,
  maxLength: codeLength,
  description: 'A Node.js module that exports an async function.',
  examples: ['module.exports = async (req) => ({ headers: req.args.headers, body: req.args.body })'],
});
const type = Type.String({ enum: ['code'], description: 'There is no other type of transforms.' });
// A member that is misspelt must not make a transform that does nothing of what was meant.
const exact = { additionalProperties: false };
const transform = emptyable(Type.Object({ type: Type.Optional(emptyable(type)), code }, exact));
const transforms = emptyable(
  Type.Array(Type.Object({ type: Type.Optional(emptyable(type)), code }, exact), {
    minItems: 1,
    maxItems: 1,
    description: 'The same as the one transform, as newer clients write it.',
  }),
);
const transformations = {
  request_transform: Type.Optional(transform),
  response_transform: Type.Optional(transform),
  request_transforms: Type.Optional(transforms),
  response_transforms: Type.Optional(transforms),
};
const id = Type.String({ format: 'uuid' });
const reactorId = emptyable(
  Type.String({
    format: 'uuid',
    description:
      'A reactor whose `raw` is the message. Where there is a transform, too, that runs, and no reactor.',
  }),
);
const value = Type.String({ maxLength: proxyLimits.configurationValueLength });
const names = {
  propertyNames: Type.String({ minLength: 1, maxLength: proxyLimits.configurationNameLength }),
};
const application = 'A public or private application: the transforms are lent its rights.';
const requireAuth = emptyable(
  Type.Boolean({ description: 'Whether requests need a BT-API-KEY. Default: true.' }),
);

const noDetokenization = nullable(
  Type.Boolean({ enum: [false], description: 'Of later versions: expressions are always replaced here.' }),
);
const shownOnly = ['key', 'state', 'application_id'];

/** Source: reference of proxies. */
export const WriteProxy = closed(
  {
    name,
    destination_url: destinationUrl,
    ...transformations,
    request_reactor_id: Type.Optional(reactorId),
    response_reactor_id: Type.Optional(reactorId),
    application: Type.Optional(emptyable(Type.Object({ id: emptyable(id) }, { description: application }))),
    configuration: Type.Optional(
      emptyable(
        mapOf(value, {
          ...names,
          maxProperties: configurationEntries,
          description:
            'Texts by name that transforms can read. They are kept like tokens, and may be secret.',
        }),
      ),
    ),
    require_auth: Type.Optional(requireAuth),
    disable_detokenization: Type.Optional(noDetokenization),
  },
  shownOnly,
);

/** Source: reference of proxies. */
export const PatchProxy = closed(
  {
    name: Type.Optional(name),
    destination_url: Type.Optional(destinationUrl),
    ...transformations,
    request_reactor_id: Type.Optional(reactorId),
    response_reactor_id: Type.Optional(reactorId),
    application: Type.Optional(
      nullable(
        Type.Object(
          { id: Type.Optional(emptyable(id)) },
          { description: `${application} Null takes it away.` },
        ),
      ),
    ),
    configuration: Type.Optional(
      emptyable(
        mapOf(nullable(value), {
          ...names,
          description: `Merged into the configuration (RFC 7386), which then has at most ${configurationEntries} entries.`,
        }),
      ),
    ),
    require_auth: Type.Optional(requireAuth),
    disable_detokenization: Type.Optional(noDetokenization),
  },
  shownOnly,
);

const Transform = Type.Object({ code: Type.String() });
const Transforms = Type.Array(Type.Object({ type, code: Type.String() }), {
  description: 'The same as the one transform, as newer clients read it.',
});
const secret = 'For callers that hold `proxy:read`, and in the answer that creates it.';

/** Source: reference of proxies. */
export const Proxy = Type.Object(
  {
    id,
    tenant_id: id,
    state: Type.Literal('active', { description: 'Always: newer clients wait for it.' }),
    name: Type.String(),
    key: Type.Optional(Type.String({ description: `Names the proxy in BT-PROXY-KEY. ${secret}` })),
    destination_url: Type.Optional(Type.String({ description: secret })),
    request_transform: Type.Optional(Transform),
    response_transform: Type.Optional(Transform),
    request_transforms: Type.Optional(Transforms),
    response_transforms: Type.Optional(Transforms),
    request_reactor_id: Type.Optional(id),
    response_reactor_id: Type.Optional(id),
    application_id: Type.Optional(id),
    configuration: Type.Optional(mapOf(Type.String(), { description: secret })),
    require_auth: Type.Boolean(),
    created_by: Type.Optional(id),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(id),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Proxy' },
);
