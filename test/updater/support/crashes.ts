import type { Composition } from '#src/main/compose.ts';

export class Crash extends Error {
  override readonly name = 'Crash';
}

const effects = new Set(['append', 'appendAll', 'store', 'storeAll', 'write', 'seal']);

/**
 * What a worker stands on, until the n-th thing that it would leave behind: from then on it is dead, and nothing more
 * happens. `before`: that one did not happen either; `after`: it did, and the worker never heard of it.
 */
export function dyingAt(composition: Composition, effect: number, when: 'before' | 'after') {
  let done = 0;
  const dying = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (!effects.has(String(name))) return member.bind(target) as unknown;
        return async (...given: unknown[]): Promise<unknown> => {
          done++;
          if (done > effect || (done === effect && when === 'before')) throw new Crash();
          const answer = (await Reflect.apply(member, target, given)) as unknown;
          if (done >= effect) throw new Crash();
          return answer;
        };
      },
    });
  const { log, vault, objects } = composition;
  return { ...composition, log: dying(log), vault: dying(vault), objects: dying(objects) };
}
