import { expireApplication } from '#commands/application/delete.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { expireSession } from '#commands/session/expire.ts';
import { systemContext } from '#commands/systemContext.ts';
import { expireToken } from '#commands/token/expire.ts';
import type { Expired, Expiring } from '#ports/expiring.ts';
import type { Timer } from '#ports/timer.ts';

const everyMinute = '* * * * *';
const atATime = 500;
const sideBySide = 16;
const actor = { type: 'system', id: 'expiry' } as const;

type Expire = (dependencies: CommandDependencies, context: CommandContext, id: string) => Promise<unknown>;

/** Ends tokens whose time has come. spec: Token expiration */
export const expireTokens = (dependencies: CommandDependencies, expiring: Expiring): Timer => ({
  name: 'expire_tokens',
  schedule: everyMinute,
  run: () => expireAll(dependencies, (now) => expiring.tokens(now, atATime), expireToken),
});

/** Deletes applications whose time has come. spec: Application, expires_at */
export const expireApplications = (dependencies: CommandDependencies, expiring: Expiring): Timer => ({
  name: 'expire_applications',
  schedule: everyMinute,
  run: () => expireAll(dependencies, (now) => expiring.applications(now, atATime), expireApplication),
});

/** Ends sessions whose time has come. */
export const expireSessions = (dependencies: CommandDependencies, expiring: Expiring): Timer => ({
  name: 'expire_sessions',
  schedule: everyMinute,
  run: () => expireAll(dependencies, (now) => expiring.sessions(now, atATime), expireSession),
});

/** Goes on until nothing new is found: what is still listed was ended, and the view is behind. */
async function expireAll(
  dependencies: CommandDependencies,
  find: (now: Date) => Promise<Expired[]>,
  expire: Expire,
): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const found = await find(dependencies.clock.now());
    const fresh = found.filter(({ tenantId, id }) => !done.has(`${tenantId}.${id}`));
    if (fresh.length === 0) return;
    for (let start = 0; start < fresh.length; start += sideBySide) {
      await Promise.all(
        fresh.slice(start, start + sideBySide).map(({ tenantId, id }) => {
          done.add(`${tenantId}.${id}`);
          return expire(dependencies, systemContext(tenantId, actor), id);
        }),
      );
    }
  }
}
