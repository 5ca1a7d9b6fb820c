import ivm from 'isolated-vm';
import type { Kernel, KernelLimits } from '#infra/sandbox/host/contract.ts';
import { createCryptography } from '#infra/sandbox/host/cryptography.ts';
import type { Modules } from '#infra/sandbox/host/modules.ts';
import type { ProgramPayload } from '#infra/sandbox/messages.ts';
import type { HostSettings } from '#infra/sandbox/settings.ts';

/** What the code of one call reaches beyond its isolate. */
export type Outside = {
  send(id: number, kind: string, payload: string): void;
  log(level: string, text: string): void;
};

export type LoadedProgram = { id: string; version: string };

/** An isolate with one context, and at most one program and one call at a time. */
export type Slot = {
  readonly program: LoadedProgram | undefined;
  /** Since the context was made. */
  readonly calls: number;
  /** Since the isolate was made. */
  readonly contexts: number;
  /** Of the heap that it may have, how much it has. */
  heapShare(): Promise<number>;
  /** See {@link Kernel.load}. Must be called before the program's first call in a context. */
  load(program: LoadedProgram, payload: ProgramPayload, outside: Outside): Promise<string>;
  /** See {@link Kernel.invoke}. */
  invoke(args: string, isMessage: boolean, outside: Outside): Promise<string>;
  settle(id: number, failed: boolean, payload: string): void;
  /** The call is over: what its code still sends is not heard. */
  leave(): void;
  /** A new context with nothing in it, in the same isolate. */
  renew(): Promise<void>;
  /** Ends everything in it, also what is running. */
  dispose(): void;
};

type References = { [Name in keyof Kernel]: ivm.Reference<Kernel[Name]> };

/** @param onCatastrophe the heap is broken, and the process must end */
export async function createSlot(
  settings: HostSettings,
  modules: Modules,
  onCatastrophe: () => void,
): Promise<Slot> {
  const isolate = new ivm.Isolate({
    memoryLimit: settings.isolateMegabytes,
    onCatastrophicError: onCatastrophe,
  });
  const heapLimit = settings.isolateMegabytes * 1024 * 1024;
  let outside: Outside | undefined;
  let program: LoadedProgram | undefined;
  let calls = 0;
  let contexts = 0;

  const boot = async (): Promise<References> => {
    contexts += 1;
    const context = await isolate.createContext();
    const script = await isolate.compileScript(modules.kernel, { filename: 'kernel' });
    const bootKernel = await script.run(context, { reference: true, release: true });
    const kernel = (await bootKernel.apply(
      undefined,
      [
        new ivm.Callback((from: string, request: string) => modules.resolve(from, request)),
        new ivm.Callback((id: string) => modules.source(id)),
        new ivm.Callback(createCryptography()),
        new ivm.Callback(
          (id: number, kind: string, payload: string) => {
            outside?.send(id, kind, payload);
          },
          { ignored: true },
        ),
        new ivm.Callback(
          (level: string, text: string) => {
            outside?.log(level, text);
          },
          { ignored: true },
        ),
        JSON.stringify(limitsOf(settings)),
      ],
      { result: { reference: true } },
    )) as ivm.Reference<Kernel>;
    const [load, invoke, outcome, settle] = await Promise.all([
      kernel.get('load', { reference: true }),
      kernel.get('invoke', { reference: true }),
      kernel.get('outcome', { reference: true }),
      kernel.get('settle', { reference: true }),
    ]);
    return { load, invoke, outcome, settle } as References;
  };
  let kernel = await boot();
  /** A rejection that nobody handled fails the call, and not what it does. See {@link Kernel.outcome}. */
  const orLatest = async (calling: Promise<unknown>): Promise<string> => {
    try {
      return String(await calling);
    } catch (error) {
      if (isolate.isDisposed) throw error;
      return String(await kernel.outcome.apply(undefined, [], { result: { promise: true, copy: true } }));
    }
  };

  return {
    get program() {
      return program;
    },
    get calls() {
      return calls;
    },
    get contexts() {
      return contexts;
    },
    heapShare: async () => {
      const { used_heap_size: used, externally_allocated_size: external } = await isolate.getHeapStatistics();
      return (used + external) / heapLimit;
    },
    load: async (loaded, { code, configuration, hasApplication, returns }, reached) => {
      program = loaded;
      outside = reached;
      const loading = [code, JSON.stringify(configuration), hasApplication, returns] as const;
      return orLatest(kernel.load.apply(undefined, [...loading], { result: { copy: true } }));
    },
    invoke: async (args, isMessage, reached) => {
      calls += 1;
      outside = reached;
      return orLatest(
        kernel.invoke.apply(undefined, [args, isMessage], { result: { promise: true, copy: true } }),
      );
    },
    settle: (id, failed, payload) => {
      kernel.settle.apply(undefined, [id, failed, payload]).catch(() => undefined);
    },
    leave: () => {
      outside = undefined;
    },
    renew: async () => {
      kernel = await boot();
      program = undefined;
      calls = 0;
    },
    dispose: () => {
      outside = undefined;
      if (!isolate.isDisposed) isolate.dispose();
    },
  };
}

const limitsOf = ({
  resultLength,
  thrownLength,
  logLines,
  logLength,
  pending,
}: HostSettings): KernelLimits => ({
  resultLength,
  thrownLength,
  logLines,
  logLength,
  pending,
});
