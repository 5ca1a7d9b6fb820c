import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ClientConfig } from 'pg';
import type { Purpose } from '#infra/postgres/embedded/ownership.ts';

const program = fileURLToPath(new URL('ownerProcess.ts', import.meta.url));

/** What the process says when it owns the data directory, or was refused it. */
export type Answer =
  { connection: ClientConfig; postmaster: number } | { refused: string; message: string; owner?: number };

export type OwnerProcess = {
  pid: number;
  answer: Promise<Answer>;
  /** Sends a signal to the whole process group, as a terminal does, and waits for the end where it kills. */
  kill(signal: NodeJS.Signals): Promise<void>;
};

export type OwnerOptions = { purpose?: Purpose; uid?: number };

/** Starts a process that takes a data directory, or tries to. */
export function startOwner(dataDirectory: string, { purpose, uid }: OwnerOptions = {}): OwnerProcess {
  const child = spawn(process.execPath, [program, dataDirectory, purpose ?? 'service'], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error('the owner process cannot be started');
  const ended = once(child, 'exit');
  return {
    pid,
    answer: firstLine(child.stdout),
    kill: async (signal) => {
      process.kill(-pid, signal);
      if (signal !== 'SIGINT') await ended;
    },
  };
}

async function firstLine(output: NodeJS.ReadableStream): Promise<Answer> {
  for await (const line of createInterface({ input: output })) {
    const answer: Answer = JSON.parse(line);
    return answer;
  }
  throw new Error('the owner process ended without an answer');
}

/** The answer of a process that must own the data directory. */
export async function whenOwned(
  owner: OwnerProcess,
): Promise<{ connection: ClientConfig; postmaster: number }> {
  const answer = await owner.answer;
  if ('refused' in answer) throw new Error(`refused: ${answer.message}`);
  return answer;
}

/** The answer of a process that must not get the data directory. */
export async function whenRefused(
  owner: OwnerProcess,
): Promise<{ refused: string; message: string; owner?: number }> {
  const answer = await owner.answer;
  if (!('refused' in answer)) throw new Error('it was not refused');
  return answer;
}
