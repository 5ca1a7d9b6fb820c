import { readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabases } from '#test/support/database.ts';
import { sharedBelongings } from '#test/support/shared.ts';

/** What a file may leave behind, by name. */
type Surroundings = {
  processes: Set<string>;
  directories: Set<string>;
  databases: Set<string>;
  servers: number;
};

/** What has been closed may take this long to be gone, in milliseconds. */
const graceTime = 5_000;

/** What is there before a file is run. */
export function lookAround(): Surroundings {
  return {
    processes: childProcesses(),
    directories: new Set(readdirSync(tmpdir())),
    databases: new Set(openDatabases),
    servers: listeningServers(),
  };
}

/** Sentences that name what is there and was not before; empty when the file cleared up behind itself. */
export async function whatWasLeft(before: Surroundings): Promise<string[]> {
  const deadline = performance.now() + graceTime;
  for (;;) {
    const left = differences(before);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(20);
  }
}

function differences(before: Surroundings): string[] {
  const now = lookAround();
  const shared = sharedBelongings();
  const added = (key: 'processes' | 'directories' | 'databases', noun: string): string[] =>
    [...now[key]]
      .filter((name) => !before[key].has(name) && !shared.some((known) => name.includes(known)))
      .map((name) => `left ${noun} behind: ${name}`);
  return [
    ...added('processes', 'a process'),
    ...added('directories', 'a directory'),
    ...added('databases', 'a database'),
    ...(now.servers > before.servers + newShared(before) ? ['left a server behind that listens'] : []),
  ];
}

const newShared = (before: Surroundings): number =>
  sharedBelongings().filter((name) => name.startsWith('test_') && !before.databases.has(name)).length;

const listeningServers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

/** Children of this process, as `pid command`; none where the system does not tell. */
function childProcesses(): Set<string> {
  try {
    const listed = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
    const pids = listed === '' ? [] : listed.split(' ');
    return new Set(pids.flatMap((pid) => commandOf(pid)));
  } catch {
    return new Set();
  }
}

function commandOf(pid: string): string[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return command === '' ? [] : [`${pid} ${command}`];
  } catch {
    return [];
  }
}
