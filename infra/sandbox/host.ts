import { createFrameReader, encodeFrame } from '#infra/sandbox/frames.ts';
import { endCall, keepLine, outcomeOf } from '#infra/sandbox/hostCall.ts';
import type { HostCall } from '#infra/sandbox/hostCall.ts';
import { watchStop } from '#infra/sandbox/stopGrace.ts';
import { createServed } from '#infra/sandbox/served.ts';
import type { Launched } from '#infra/sandbox/launch.ts';
import type { FromHost, ProgramPayload, ToHost } from '#infra/sandbox/messages.ts';
import type { Frame } from '#infra/sandbox/frames.ts';
import type { Invocation, SandboxOutcome, SandboxResult } from '#ports/sandbox.ts';

/** Why a host ended, when it was not asked to. */
export type HostEnd = 'crashed' | 'out_of_memory' | 'unresponsive' | 'misbehaved' | 'retired';

export type Host = {
  readonly pid: number | undefined;
  /** Whether it takes calls. */
  readonly alive: boolean;
  readonly callsUnderWay: number;
  /** By `performance.now()`. */
  readonly usedAt: number;
  /** Resolves when no call is left that was told to stop and has not; if one does not stop, the host is killed. */
  quiet(): Promise<void>;
  /** Resolves with the reason when the process is gone. */
  readonly ended: Promise<HostEnd>;
  /** @throws what loading the program throws */
  run(invocation: Invocation): Promise<SandboxResult>;
  kill(reason: HostEnd): void;
};

/** What code asks of the outside is at most a request of 5 MiB, as base64. */
const frameLimit = 8 * 1024 * 1024;
/** A host that is not ready after so many milliseconds never will be. */
const startLimit = 20_000;
/** A host that leaves so many bytes unread does not read any more. */
const mostUnread = 64 * 1024 * 1024;
/** Of what a dying host says, in characters. */
const lastWordsLength = 2_000;

const ignore = (): void => undefined;

/** Speaks with one host, and believes nothing of what it says. @param explain gets its last words when it crashes */
export function attachHost(
  { process: child, channel }: Launched,
  explain: (reason: HostEnd, lastWords: string) => void,
): Host {
  const calls = new Map<number, HostCall>();
  /** Calls that were told to stop; the value ends the watch over one. */
  const stopping = new Map<number, () => void>();
  let onQuiet: (() => void)[] = [];
  const ready = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<HostEnd>();
  let alive = true;
  let reason: HostEnd = 'crashed';
  let nextCall = 1;
  let usedAt = performance.now();
  let lastWords = '';

  const tell = (message: ToHost, payload?: string): void => {
    if (channel.destroyed) return;
    channel.write(encodeFrame(message, payload));
    if (channel.writableLength > mostUnread) kill('unresponsive');
  };
  const finish = (number: number, call: HostCall, outcome: SandboxOutcome): void => {
    calls.delete(number);
    endCall(call);
    usedAt = performance.now();
    call.resolve({ outcome, logs: call.logs });
  };
  const kill = (why: HostEnd): void => {
    if (!alive) return;
    alive = false;
    reason = why;
    child.kill('SIGKILL');
  };
  /** The call has its answer already; the host must say that nothing of it runs any more. */
  const stop = (number: number): void => {
    tell({ type: 'stop', call: number });
    stopping.set(
      number,
      watchStop(child.pid, () => {
        kill('unresponsive');
      }),
    );
  };
  const stopped = (number: number): void => {
    stopping.get(number)?.();
    stopping.delete(number);
    if (stopping.size === 0) tellQuiet();
  };
  const tellQuiet = (): void => {
    const waiting = onQuiet;
    onQuiet = [];
    for (const resolve of waiting) resolve();
  };
  const load = async (number: number, call: HostCall): Promise<void> => {
    try {
      const content: ProgramPayload = await call.invocation.program.load();
      tell({ type: 'program', call: number }, JSON.stringify(content));
    } catch (error) {
      if (!calls.delete(number)) return;
      endCall(call);
      stop(number);
      call.reject(error);
    }
  };
  const receive = ({ header, payload }: Frame<FromHost>): void => {
    if (header.type === 'ready') {
      ready.resolve(undefined);
      return;
    }
    const call = calls.get(header.call);
    if (header.type === 'outcome') {
      stopped(header.call);
      if (call !== undefined) finish(header.call, call, outcomeOf(header.kind, payload));
    } else if (call === undefined) {
      return;
    } else if (header.type === 'need') {
      void load(header.call, call);
    } else if (header.type === 'send') {
      call.served.begin(header.id, header.kind, payload);
    } else if (header.type === 'cancel') {
      call.served.cancel(header.id);
    } else {
      keepLine(call, header.level, payload);
    }
  };
  const end = (): void => {
    alive = false;
    channel.destroy();
    for (const number of stopping.keys()) stopped(number);
    if (reason !== 'retired') explain(reason, lastWords);
    for (const [number, call] of calls) {
      finish(number, call, { kind: reason === 'out_of_memory' ? 'out_of_memory' : 'crashed' });
    }
    ready.reject(new Error('the host ended before it was ready'));
    ended.resolve(reason);
  };

  const startTimer = setTimeout(() => {
    kill('unresponsive');
  }, startLimit);
  ready.promise
    .finally(() => {
      clearTimeout(startTimer);
    })
    .catch(ignore);
  const reader = createFrameReader<FromHost>(frameLimit, receive, () => {
    kill('misbehaved');
  });
  channel.on('data', (chunk: Buffer) => {
    reader.read(chunk);
  });
  channel.on('error', ignore);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  child.on('error', end);
  child.on('close', end);

  return {
    pid: child.pid,
    get alive() {
      return alive;
    },
    get callsUnderWay() {
      return calls.size + stopping.size;
    },
    get usedAt() {
      return usedAt;
    },
    quiet: () =>
      new Promise((resolve) => {
        if (stopping.size === 0) resolve();
        else onQuiet.push(resolve);
      }),
    ended: ended.promise,
    kill,
    run: (invocation) =>
      new Promise((resolve, reject) => {
        const number = nextCall++;
        const served = createServed(
          (asked) => invocation.serve(asked),
          (id, { failed, payload }) => {
            tell({ type: 'settle', call: number, id, failed }, payload);
          },
        );
        const call: HostCall = { invocation, logs: [], served, timer: undefined, resolve, reject };
        calls.set(number, call);
        usedAt = performance.now();
        if (!alive) {
          finish(number, call, { kind: 'crashed' });
          return;
        }
        // What it takes to start a host is not the code's time.
        void ready.promise.then(() => {
          if (calls.get(number) !== call) return;
          call.timer = setTimeout(() => {
            finish(number, call, { kind: 'timed_out' });
            stop(number);
          }, invocation.milliseconds);
        }, ignore);
        const { args = '', isMessage = false, program } = invocation;
        const { id, version } = program;
        tell({ type: 'invoke', call: number, program: id, version, isMessage }, args);
      }),
  };
}
