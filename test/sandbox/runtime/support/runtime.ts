import ivm from 'isolated-vm';
import type {
  FetchAnswer,
  FetchFailure,
  FetchRequest,
  Kernel,
  KernelLimits,
} from '#infra/sandbox/host/contract.ts';
import { createCryptography } from '#infra/sandbox/host/cryptography.ts';
import { readModules } from '#infra/sandbox/host/modules.ts';

const modules = readModules();
const generous: KernelLimits = {
  resultLength: 1_000_000,
  thrownLength: 100_000,
  logLines: 100,
  logLength: 100_000,
  pending: 100,
};

type Options = {
  limits?: Partial<KernelLimits>;
  configuration?: Record<string, string>;
  hasApplication?: boolean;
  returns?: 'message';
  /** The outside; what has a `code` is a failure. */
  fetch?: (request: FetchRequest) => FetchAnswer | FetchFailure | Promise<FetchAnswer | FetchFailure>;
};

export type Outcome =
  | { kind: 'returned'; result: { raw?: unknown; tokenize?: unknown; headers?: unknown; body?: unknown } }
  | { kind: 'threw'; thrown: Record<string, unknown> }
  | { kind: 'too_large' };

export type Runtime = {
  load(code: string): Promise<string>;
  invoke(args?: unknown, isMessage?: boolean): Promise<Outcome>;
  logs: [level: string, text: string][];
  /** Everything that was begun or cancelled outside. */
  sent: [id: number, kind: string, payload: string][];
  close(): void;
};

/** The kernel in an isolate, with a host made up for tests around it. */
export function startRuntime(options: Options = {}): Runtime {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const context = isolate.createContextSync();
  const logs: Runtime['logs'] = [];
  const sent: Runtime['sent'] = [];
  const timers = new Map<number, NodeJS.Timeout>();

  const settle = (id: number, failed: boolean, payload: string): void => {
    if (!isolate.isDisposed) part('settle').applyIgnored(undefined, [id, failed, payload]);
  };
  const latest = (): Promise<string> =>
    part('outcome').apply(undefined, [], { result: { promise: true, copy: true } }) as Promise<string>;
  const send = (id: number, kind: string, payload: string): void => {
    sent.push([id, kind, payload]);
    if (kind === 'cancel') clearTimeout(timers.get(id));
    if (kind === 'timer') timers.set(id, setTimeout(settle, Number(payload), id, false, ''));
    if (kind !== 'fetch') return;
    void Promise.resolve(JSON.parse(payload) as FetchRequest)
      .then(options.fetch ?? (() => ({ code: 'ENOTFOUND', message: 'nothing is out there' })))
      .then((answer) => {
        settle(id, 'code' in answer, JSON.stringify(answer));
      });
  };
  const callbacks = [
    modules.resolve,
    modules.source,
    createCryptography(),
    send,
    (level: string, text: string): void => void logs.push([level, text]),
  ].map((callback) => new ivm.Callback(callback));
  const boot = isolate
    .compileScriptSync(modules.kernel)
    .runSync(context, { reference: true }) as ivm.Reference;
  const limits = JSON.stringify({ ...generous, ...options.limits });
  const kernel = boot.applySync(undefined, [...callbacks, limits], {
    result: { reference: true },
  }) as unknown as ivm.Reference<Kernel>;
  const part = (name: keyof Kernel): ivm.Reference => kernel.getSync(name, { reference: true });

  return {
    async load(code) {
      const configuration = JSON.stringify(options.configuration ?? {});
      const { hasApplication = false, returns = 'result' } = options;
      const loaded = part('load').apply(undefined, [code, configuration, hasApplication, returns]);
      return (await loaded.catch(latest)) as string;
    },
    async invoke(args = {}, isMessage = false) {
      const options = { result: { promise: true, copy: true } } as const;
      const text = part('invoke')
        .apply(undefined, [JSON.stringify(args), isMessage], options)
        .catch(latest);
      return readOutcome((await text) as string);
    },
    logs,
    sent,
    close() {
      timers.forEach((timer) => {
        clearTimeout(timer);
      });
      isolate.dispose();
    },
  };
}

function readOutcome(text: string): Outcome {
  if (text === 'l') return { kind: 'too_large' };
  const value = JSON.parse(text.slice(1)) as Record<string, unknown>;
  return text.startsWith('r') ? { kind: 'returned', result: value } : { kind: 'threw', thrown: value };
}

/** Loads code and calls it once. */
export async function outcomeOf(code: string, args: unknown = {}, options: Options = {}): Promise<Outcome> {
  const runtime = startRuntime(options);
  try {
    const loaded = await runtime.load(code);
    if (loaded.startsWith('t')) return readOutcome(loaded);
    if (loaded !== 'ready') throw new Error(loaded);
    return await runtime.invoke(args);
  } finally {
    runtime.close();
  }
}

/** What the body of an asynchronous function of `req` returns. @throws Error when it throws */
export async function valueOf(body: string, args: unknown = {}, options: Options = {}): Promise<unknown> {
  const code = `module.exports = async function (req) { const raw = await (async () => { ${body} })(); return { raw }; };`;
  const outcome = await outcomeOf(code, args, options);
  if (outcome.kind !== 'returned') throw new Error(JSON.stringify(outcome));
  return outcome.result.raw;
}
