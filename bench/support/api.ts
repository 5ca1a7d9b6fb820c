import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ApiOrder } from '#bench/processes/api.ts';

export type BenchApi = { url: string; child: ChildProcess };

/** An API process beside a service, composed as the order says. It ends when it is disconnected. */
export async function startApi(order: ApiOrder): Promise<BenchApi> {
  const child = fork(fileURLToPath(new URL('../processes/api.ts', import.meta.url)), [JSON.stringify(order)]);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, child };
}
