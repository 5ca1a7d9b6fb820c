import type { Isolates } from '#infra/sandbox/host/isolates.ts';
import { createPrograms } from '#infra/sandbox/host/programs.ts';
import type { Outside, Slot } from '#infra/sandbox/host/slot.ts';
import type { FromHost, HostOutcome, ProgramPayload, ToHost } from '#infra/sandbox/messages.ts';
import type { LogLine } from '#ports/sandbox.ts';

export type Calls = { receive(message: ToHost, payload: string): void };

type Invoked = Extract<ToHost, { type: 'invoke' }>;
type Ended = { kind: HostOutcome; payload?: string };

/** What is known of a call while it is under way. */
type Call = {
  number: number;
  slot: Slot | undefined;
  timers: Map<number, NodeJS.Timeout>;
  /** Told that its time is over; nothing it does is told any more. */
  stopped: boolean;
  /** Takes the program that was asked for; undefined: it does not come any more. */
  give: ((payload: string | undefined) => void) | undefined;
  /** Its isolate holds something that no other call may meet. */
  spoilt: boolean;
};

/** Node's own: longer ones would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** In bytes: a request of 5 MiB as base64, and its headers. More would not be a frame, see the service's side. */
const longestCall = 7.5 * 1024 * 1024;
const tooLarge = 'The request is too large.';
const fetchTooLarge = JSON.stringify({ code: 'EMSGSIZE', message: tooLarge });
const btTooLarge = JSON.stringify({ status: 0, headers: {}, body: tooLarge });
const levels = new Set<string>(['debug', 'info', 'warn', 'error'] satisfies LogLine['level'][]);

/** Carries out what the service asks of this host. */
export function createCalls(isolates: Isolates, tell: (message: FromHost, payload?: string) => void): Calls {
  const calls = new Map<number, Call>();
  const programs = createPrograms();

  const outsideOf = (call: Call): Outside => ({
    send: (id, kind, payload) => {
      if (call.stopped) return;
      if (kind === 'timer') {
        const wait = Math.min(Math.max(Number(payload) || 0, 0), longestTimer);
        call.timers.set(
          id,
          setTimeout(() => {
            call.timers.delete(id);
            call.slot?.settle(id, false, '');
          }, wait),
        );
      } else if (kind === 'cancel') {
        const timer = call.timers.get(Number(payload));
        if (timer === undefined) tell({ type: 'cancel', call: call.number, id: Number(payload) });
        clearTimeout(timer);
        call.timers.delete(Number(payload));
      } else if (Buffer.byteLength(payload) > longestCall) {
        call.slot?.settle(id, kind === 'fetch', kind === 'fetch' ? fetchTooLarge : btTooLarge);
      } else if (kind === 'fetch' || kind === 'bt') {
        tell({ type: 'send', call: call.number, id, kind }, payload);
      }
    },
    log: (level, text) => {
      if (call.stopped || !levels.has(level)) return;
      tell({ type: 'log', call: call.number, level: level as LogLine['level'] }, text);
    },
  });

  const run = async (call: Call, { program, version, isMessage }: Invoked, args: string): Promise<Ended> => {
    const outside = outsideOf(call);
    call.slot = isolates.takeLoaded(program, version);
    if (call.slot === undefined) {
      const payload = programs.get(program, version) ?? (await ask(call));
      if (payload !== undefined) programs.set(program, version, payload);
      call.slot = await isolates.takeFresh();
      if (payload === undefined || isStopped(call)) return { kind: 'stopped' };
      const loaded = await call.slot.load({ id: program, version }, payload, outside);
      if (loaded !== 'ready') {
        call.spoilt = true;
        return notLoaded(loaded);
      }
    }
    if (args === '') return { kind: 'returned', payload: '{}' };
    return endedOf(await call.slot.invoke(args, isMessage, outside));
  };

  const ask = (call: Call): Promise<ProgramPayload | undefined> =>
    new Promise((resolve) => {
      call.give = (payload) => {
        resolve(payload === undefined ? undefined : (JSON.parse(payload) as ProgramPayload));
      };
      tell({ type: 'need', call: call.number });
    });

  const carryOut = async (invoked: Invoked, args: string): Promise<void> => {
    const { call: number } = invoked;
    const call: Call = {
      number,
      slot: undefined,
      timers: new Map(),
      stopped: false,
      give: undefined,
      spoilt: false,
    };
    calls.set(number, call);
    const ended = await run(call, invoked, args).catch((error: unknown) => failureOf(call, error));
    calls.delete(number);
    for (const timer of call.timers.values()) clearTimeout(timer);
    call.slot?.leave();
    tell({ type: 'outcome', call: number, kind: ended.kind }, ended.payload);
    if (call.slot === undefined) return;
    if (mayServeAgain(ended.kind) && !call.spoilt && !call.stopped) isolates.giveBack(call.slot);
    else call.slot.dispose();
  };

  return {
    receive(message, payload) {
      if (message.type === 'invoke') {
        void carryOut(message, payload);
        return;
      }
      const call = calls.get(message.call);
      if (call === undefined) return;
      if (message.type === 'program') {
        call.give?.(payload);
      } else if (message.type === 'settle') {
        call.slot?.settle(message.id, message.failed, payload);
      } else {
        call.stopped = true;
        call.give?.(undefined);
        call.slot?.dispose();
      }
    },
  };
}

const mayServeAgain = (kind: HostOutcome): boolean =>
  kind === 'returned' || kind === 'threw' || kind === 'too_large';

/** It may change while something is waited for, which types do not see. */
const isStopped = (call: Call): boolean => call.stopped;

/** See the kernel's `load`. */
function notLoaded(loaded: string): Ended {
  if (loaded === 'l') return { kind: 'too_large' };
  if (loaded.startsWith('t')) return { kind: 'threw', payload: loaded.slice(1) };
  if (loaded === 'not_a_function') return { kind: 'not_a_function' };
  return { kind: 'does_not_compile', payload: loaded.slice(loaded.indexOf('\n') + 1) };
}

/** See the kernel's `invoke`. */
function endedOf(result: string): Ended {
  if (result.startsWith('r')) return { kind: 'returned', payload: result.slice(1) };
  if (result.startsWith('t')) return { kind: 'threw', payload: result.slice(1) };
  return { kind: 'too_large' };
}

function failureOf(call: Call, error: unknown): Ended {
  if (call.stopped) return { kind: 'stopped' };
  const message = error instanceof Error ? error.message : '';
  if (/memory limit|disposed/i.test(message)) return { kind: 'out_of_memory' };
  return { kind: 'threw', payload: JSON.stringify({ name: 'Error', message: 'The code could not be run.' }) };
}
