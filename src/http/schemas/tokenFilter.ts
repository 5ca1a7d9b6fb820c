import Type from 'typebox';
import type { Static } from 'typebox';
import { normalizeContainer } from '#domain/container.ts';
import { containerPath } from '#http/schemas/container.ts';
import { mapOf } from '#http/schemas/map.ts';
import type { TokenFilter } from '#queries/token/filter.ts';

/** Query parameters that select tokens from a list; all that are given must hold. spec: List Tokens */
export const tokenFilterQuery = {
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Repeat to name several.' })),
  type: Type.Optional(Type.Array(Type.String(), { maxItems: 20, description: 'Repeat to name several.' })),
  container: Type.Optional(containerPath('A container path: tokens in it and below.')),
  fingerprint: Type.Optional(Type.String({ maxLength: 100, description: 'Compared exactly.' })),
  metadata: Type.Optional(
    mapOf(Type.String(), {
      description: '`metadata.<key>=<value>`: exact, without regard to case; several must all match.',
    }),
  ),
};

/** What these parameters ask for. */
export function tokenFilterOf(query: Static<Type.TObject<typeof tokenFilterQuery>>): TokenFilter {
  const { id: ids, type: types, container, fingerprint, metadata } = query;
  const containers = container === undefined ? undefined : [normalizeContainer(container)];
  return { ids, types, containers, fingerprint, metadata };
}
