import { suite } from 'uvu';
import { holdsFor } from '#test/access/support/noninterference.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);

let service: VaultService;
const noninterference = suite('answers and hidden data, a few runs');

noninterference.before(async () => {
  service = await startVaultService();
});
noninterference.after(() => service.close());

noninterference('given two secrets of one shape, when the same is called, then the same is answered', () =>
  holdsFor(service, 10, seed),
);

noninterference.run();
