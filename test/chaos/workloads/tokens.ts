import { randomUUID } from 'node:crypto';
import type { Entry } from '#test/chaos/support/ledger.ts';
import { findTokens } from '#test/chaos/support/findTokens.ts';
import { attempt } from '#test/chaos/support/world.ts';
import type { World } from '#test/chaos/support/world.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

/** What of a token is known from the ledger. Versions count from 0, which its creation writes. */
type Life = {
  created: boolean;
  acknowledged: number;
  asked: number;
  deletion: 'none' | 'asked' | 'acknowledged';
};

type Living = { id: string; version: number };

/** Tokens are kept short of this many, so that some are deleted again. */
const mostLiving = 200;

/** The same for the same token, so that a half one can be told. */
export const secretOf = (id: string): string => `secret of ${id} `.repeat(3);

/** Tokens that are created, changed and deleted. One whose state is not known is left alone from then on. */
export function tokensWorkload(): Workload {
  const living: Living[] = [];
  return {
    name: 'tokens',
    weight: 14,
    act: async (world) => {
      const chosen = living.length > 20 ? living.splice(world.random(living.length), 1)[0] : undefined;
      const isMany = living.length > mostLiving;
      if (chosen !== undefined && isMany && world.random(3) === 0) return remove(world, chosen.id);
      if (chosen !== undefined && (isMany || world.random(3) === 0)) {
        if (await patch(world, chosen)) living.push({ ...chosen, version: chosen.version + 1 });
        return;
      }
      if (chosen !== undefined) living.push(chosen);
      const id = await createOne(world);
      if (id !== undefined) living.push({ id, version: 0 });
    },
    verify: verifyTokens,
  };
}

/** Answers its id when that was acknowledged. */
export async function createOne(world: World): Promise<string | undefined> {
  const id = randomUUID();
  await world.ledger.asked({ kind: 'create', id });
  const body = { id, type: 'token', data: { secret: secretOf(id), version: 0 } };
  if ((await attempt(world, 'POST', '/tokens', body)) !== true) return undefined;
  await world.ledger.acknowledge({ kind: 'create', id });
  return id;
}

async function patch(world: World, { id, version }: Living): Promise<boolean> {
  const next = { kind: 'patch', id, version: version + 1 } as const;
  await world.ledger.asked(next);
  if ((await attempt(world, 'PATCH', `/tokens/${id}`, { data: { version: next.version } })) !== true) {
    return false;
  }
  await world.ledger.acknowledge(next);
  return true;
}

async function remove(world: World, id: string): Promise<void> {
  await world.ledger.asked({ kind: 'delete', id });
  if (await attempt(world, 'DELETE', `/tokens/${id}`)) await world.ledger.acknowledge({ kind: 'delete', id });
}

async function verifyTokens(world: World, entries: readonly Entry[]): Promise<void> {
  const lives = livesIn(entries);
  const { verdict } = world;
  for (const [id, found] of await findTokens(world, [...lives.keys()])) {
    const { created, acknowledged, asked, deletion } = lives.get(id) ?? nothing();
    if (found === undefined) {
      if (created && deletion === 'none') verdict.lost.push(`token ${id}`);
      continue;
    }
    const { secret, version = -1 } = found as { secret?: string; version?: number };
    if (secret !== secretOf(id)) verdict.half.push(`token ${id}`);
    if (deletion === 'acknowledged') verdict.lost.push(`the deletion of ${id}`);
    if (version < acknowledged) verdict.lost.push(`version ${acknowledged} of ${id}, which has ${version}`);
    if (version > asked) verdict.wrong.push(`token ${id} has version ${version}, and ${asked} was asked for`);
  }
}

const nothing = (): Life => ({ created: false, acknowledged: 0, asked: 0, deletion: 'none' });

function livesIn(entries: readonly Entry[]): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const { at, deed } of entries) {
    if (deed.kind !== 'create' && deed.kind !== 'patch' && deed.kind !== 'delete') continue;
    const life = lives.get(deed.id) ?? nothing();
    lives.set(deed.id, life);
    if (deed.kind === 'create') life.created ||= at === 'acknowledged';
    if (deed.kind === 'patch') life[at] = Math.max(life[at], deed.version);
    if (deed.kind === 'delete') life.deletion = at;
  }
  return lives;
}
