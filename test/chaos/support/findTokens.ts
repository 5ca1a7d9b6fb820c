import { forEach, insist } from '#test/chaos/support/world.ts';
import type { World } from '#test/chaos/support/world.ts';

/** Of a list by ids. */
const mostAtOnce = 100;

type Listed = { data: { id: string; data: unknown }[] };

/**
 * The data of tokens, in the clear; undefined for those that are in no list. One that is in a list, or in none, and
 * is otherwise when it is asked for by itself, is half a token.
 */
export async function findTokens(world: World, ids: readonly string[]): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>(ids.map((id) => [id, undefined]));
  const groups = Array.from({ length: Math.ceil(ids.length / mostAtOnce) }, (_, index) =>
    ids.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
  );
  const options = { key: world.revealKey };
  await forEach(groups, async (group) => {
    const query = group.map((id) => `id=${id}`).join('&');
    const { status, body } = await insist(
      world,
      'GET',
      `/tokens?size=${mostAtOnce}&${query}`,
      undefined,
      options,
    );
    if (status !== 200) world.verdict.wrong.push(`a list answered ${status} ${JSON.stringify(body)}`);
    else for (const { id, data } of (body as Listed).data) found.set(id, data);
  });
  const looked = [...found].filter(([, data], index) => data === undefined || index % 20 === 0);
  await forEach(looked, async ([id, data]) => {
    const { status } = await insist(world, 'GET', `/tokens/${id}`, undefined, options);
    if ((status === 200) !== (data !== undefined)) {
      world.verdict.half.push(
        `token ${id}: by itself it is ${status}, in lists ${data === undefined ? 'not there' : 'there'}`,
      );
    }
  });
  return found;
}
