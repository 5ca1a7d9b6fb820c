import Type from 'typebox';
import { mapOf } from '#http/schemas/map.ts';

/** spec: Errors; RFC 9457 */
export const ProblemSchema = Type.Object(
  {
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(
      mapOf(Type.Array(Type.String()), {
        description:
          'Messages by the path of what is wrong, such as `data.number` or `rules[0].permissions`.',
      }),
    ),
  },
  { $id: 'Problem' },
);
