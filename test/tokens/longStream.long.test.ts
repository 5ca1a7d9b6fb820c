import { suite } from 'uvu';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { checkLongToken } from '#test/tokens/support/longStream.ts';

const long = suite<{ service: VaultService }>('tokens with a very long past');

long.before(async (context) => {
  context.service = await startVaultService({ alone: true });
});
long.after(({ service }) => service.close());

long(
  'given 100,000 updates, when it is changed, read and deleted, then only its last events are read',
  ({ service }) => checkLongToken(service, 100_000),
);

long.run();
