import Type from 'typebox';
import type { Static } from 'typebox';
import { containerFault, maximumContainerLength, normalizeContainer } from '#domain/container.ts';
import { mapOf } from '#http/schemas/map.ts';
import { invalid } from '#http/validation/faults.ts';
import type { TokenFilter } from '#queries/token/filter.ts';

/** Query parameters that select tokens from a list; all that are given must hold. spec: List Tokens */
export const tokenFilterQuery = {
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Repeat to name several.' })),
  type: Type.Optional(Type.Array(Type.String(), { maxItems: 20, description: 'Repeat to name several.' })),
  container: Type.Optional(
    Type.String({
      maxLength: maximumContainerLength,
      description: 'A container path: tokens in it and below.',
      examples: ['/pci/'],
    }),
  ),
  fingerprint: Type.Optional(Type.String({ maxLength: 100, description: 'Compared exactly.' })),
  metadata: Type.Optional(
    mapOf(Type.String(), {
      description: '`metadata.<key>=<value>`: exact, without regard to case; several must all match.',
    }),
  ),
};

/** What these parameters ask for. @throws ValidationFailed naming `container` when it is no path */
export function tokenFilterOf(query: Static<Type.TObject<typeof tokenFilterQuery>>): TokenFilter {
  const { id: ids, type: types, container, fingerprint, metadata } = query;
  return { ids, types, containers: containersOf(container), fingerprint, metadata };
}

function containersOf(container: string | undefined): string[] | undefined {
  if (container === undefined) return undefined;
  const path = normalizeContainer(container);
  const fault = containerFault(path);
  if (fault !== undefined) throw invalid('container', fault);
  return [path];
}
