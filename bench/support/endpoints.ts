import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EndpointsAnswer, EndpointsOrder, Manner, Seen } from '#bench/processes/endpoints.ts';

export type BenchEndpoints = {
  urls: readonly string[];
  seen(): Promise<readonly Seen[]>;
  stop(): void;
};

/** Receivers of webhooks, in a process of their own. */
export async function startEndpoints(manners: readonly Manner[]): Promise<BenchEndpoints> {
  const order: EndpointsOrder = { manners };
  const child = fork(fileURLToPath(new URL('../processes/endpoints.ts', import.meta.url)), [
    JSON.stringify(order),
  ]);
  const answer = async (): Promise<EndpointsAnswer> => {
    const [said] = (await once(child, 'message')) as [EndpointsAnswer];
    return said;
  };
  const started = await answer();
  return {
    urls: 'urls' in started ? started.urls : [],
    seen: async () => {
      const answered = answer();
      child.send('seen');
      const said = await answered;
      return 'seen' in said ? said.seen : [];
    },
    stop: () => {
      child.disconnect();
    },
  };
}
