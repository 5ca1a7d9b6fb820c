import { setTimeout as sleep } from 'node:timers/promises';
import { create, manage } from '#test/reactors/support/reactors.ts';
import type { Reactor } from '#test/reactors/support/reactors.ts';
import { placeCanaries } from '#test/sandbox/hostile/support/canaries.ts';
import type { Canaries } from '#test/sandbox/hostile/support/canaries.ts';
import type { Answered } from '#test/sandbox/hostile/support/endings.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Keys = Awaited<ReturnType<VaultService['anotherTenant']>>;
type Timed = Answered & { from: number; to: number };

export type Result = {
  answered: Timed;
  /** An ordinary call of the same tenant right after it. */
  next: Timed;
  /** Calls of another tenant that were under way meanwhile. */
  meanwhile: readonly Timed[];
  /** What a call costs beyond its own time just then, in milliseconds: the slowest of these. */
  load: number;
};

export type Arena = {
  service: VaultService;
  canaries: Canaries;
  /** Every line that the service logged, as JSON. */
  logged: string[];
  /** Lets the programs run, some at a time, each of them in a tenant that does nothing else then. */
  run(programs: readonly HostileProgram[], lanes: number): Map<string, Promise<Result>>;
  /** All calls of the bystander so far. */
  bystander(): readonly Timed[];
  close(): Promise<void>;
};

/** As code that echoes would be called by somebody who knows nothing of his neighbours. */
const echo = { name: 'echo', code: 'module.exports = async (req) => ({ raw: req.args })' };
const bystanderPause = 25;

export async function startArena(settings: Record<string, string> = {}): Promise<Arena> {
  const canaries = placeCanaries();
  const logged: string[] = [];
  const log = (fields: object, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }));
  };
  const service = await startVaultService({
    environment: { HOLDFAST_REACTOR_TIMEOUT: '1s', HOLDFAST_REACTOR_MEMORY: '64', ...settings },
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const react = async (key: string, id: string, args: unknown): Promise<Timed> => {
    const from = performance.now();
    const response = await fetch(`${service.url}/reactors/${id}/react`, {
      method: 'POST',
      headers: { 'BT-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ args }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, text, from, to: performance.now() };
  };
  const createFor = ({ management }: Keys, attributes: object): Promise<Reply<Reactor>> =>
    manage<Reactor>(service, 'POST', '', { configuration: {}, ...attributes }, management);
  const createAndReact = async (keys: Keys, { code, args }: HostileProgram): Promise<Timed> => {
    const from = performance.now();
    const { status, body, headers } = await createFor(keys, { name: 'hostile', code });
    if (status === 201) return react(keys.private, body.id, args ?? {});
    const type = headers.get('content-type') ?? '';
    return { status, type, text: JSON.stringify(body), from, to: performance.now() };
  };

  const calls: Timed[] = [];
  let ended = false;
  const bystand = async (): Promise<void> => {
    const { id } = await create(service, { ...echo, configuration: { secret: canaries.configuration } });
    while (!ended) {
      calls.push(await react(service.keys.private, id, { n: calls.length }));
      await sleep(bystanderPause);
    }
  };
  const bystanding = bystand();

  const runOne = async (keys: Keys, echoId: string, program: HostileProgram): Promise<Result> => {
    const answered = await createAndReact(keys, program);
    const next = await react(keys.private, echoId, { still: 'here' });
    // One more, for it began before all of this ended.
    const { length } = calls;
    while (calls.length === length && !ended) await sleep(5);
    const meanwhile = calls.filter(({ to }) => to >= answered.from);
    return { answered, next, meanwhile, load: Math.max(...meanwhile.map(({ from, to }) => to - from)) };
  };

  return {
    service,
    canaries,
    logged,
    bystander: () => calls,
    run: (programs, lanes) => {
      const results = new Map<string, PromiseWithResolvers<Result>>();
      for (const { name } of programs) results.set(name, Promise.withResolvers());
      for (const { promise } of results.values()) promise.catch(() => undefined);
      const waiting = [...programs];
      const lane = async (): Promise<void> => {
        const keys = await service.anotherTenant();
        const echoId = (await createFor(keys, echo)).body.id;
        // So that there is a host: what it takes to start one is not the code's time.
        await react(keys.private, echoId, {});
        for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
          const settled = results.get(program.name);
          await runOne(keys, echoId, program).then(settled?.resolve, settled?.reject);
        }
      };
      void Promise.all(Array.from({ length: lanes }, lane));
      return new Map([...results].map(([name, { promise }]) => [name, promise]));
    },
    close: async () => {
      ended = true;
      await bystanding;
      await service.close();
    },
  };
}
