import Type from 'typebox';
import { reactorLimits } from '#domain/reactor/limits.ts';
import { UsedApplication } from '#http/schemas/application.ts';
import { closed } from '#http/schemas/closed.ts';
import { mapOf } from '#http/schemas/map.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { nullable } from '#http/schemas/nullable.ts';

const { nameLength, codeLength, configurationEntries } = reactorLimits;
const name = Type.String({ minLength: 1, maxLength: nameLength });
const code = Type.String({
  minLength: 1,
  maxLength: codeLength,
  description: 'A Node.js module that exports an async function.',
  examples: ['module.exports = async (req) => ({ raw: req.args })'],
});
const value = Type.String({ maxLength: reactorLimits.configurationValueLength });
const names = {
  propertyNames: Type.String({ minLength: 1, maxLength: reactorLimits.configurationNameLength }),
};
const configuration = mapOf(value, {
  ...names,
  maxProperties: configurationEntries,
  description:
    'Texts by name that the code can read. They are kept like tokens, and may be secret. Default: none.',
});
const applicationId = Type.String({ format: 'uuid' });
const application = 'A public or private application: the code is lent its rights.';

/** What newer and older clients write, too: code runs in the one environment that there is, and is there. */
const overlooked = ['state', 'runtime', 'formula'];

/** spec: Create / Update Reactor */
export const WriteReactor = closed(
  {
    name,
    code,
    configuration: Type.Optional(emptyable(configuration)),
    application: Type.Optional(
      emptyable(Type.Object({ id: emptyable(applicationId) }, { description: application })),
    ),
  },
  overlooked,
);

/** spec: Patch Reactor */
export const PatchReactor = closed(
  {
    name: Type.Optional(name),
    code: Type.Optional(code),
    configuration: Type.Optional(
      emptyable(
        mapOf(nullable(value), {
          ...names,
          description: `Merged into the configuration (RFC 7386), which then has at most ${configurationEntries} entries.`,
        }),
      ),
    ),
    application: Type.Optional(
      nullable(
        Type.Object(
          { id: Type.Optional(emptyable(applicationId)) },
          { description: `${application} Null takes it away.` },
        ),
      ),
    ),
  },
  overlooked,
);

/** spec: Reactor */
export const Reactor = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    tenant_id: Type.String({ format: 'uuid' }),
    state: Type.Literal('active', { description: 'Always: newer clients wait for it.' }),
    name: Type.String(),
    code: Type.String(),
    configuration: Type.Optional(
      mapOf(Type.String(), { description: 'For callers that hold `reactor:read`.' }),
    ),
    application: Type.Optional(UsedApplication),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    modified_by: Type.Optional(Type.String({ format: 'uuid' })),
    modified_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Reactor' },
);
