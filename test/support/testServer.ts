import type { EmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { startThrowawayPostgres, urlOf } from '#test/support/postgres.ts';

export type BorrowedServer = {
  url: string;
  /** Whether it goes on after it was given back. */
  lasts: boolean;
  giveBack(): Promise<void>;
};

let own: Promise<EmbeddedPostgres> | undefined;
let borrowers = 0;

/** The runner's server; without a runner one of our own, for as long as anybody uses it. */
export async function borrowTestServer(): Promise<BorrowedServer> {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url !== undefined) return { url, lasts: true, giveBack: () => Promise.resolve() };
  borrowers += 1;
  own ??= startThrowawayPostgres();
  const server = await own;
  return {
    url: urlOf(server),
    lasts: false,
    giveBack: async () => {
      borrowers -= 1;
      if (borrowers > 0) return;
      own = undefined;
      await server.stop();
    },
  };
}
