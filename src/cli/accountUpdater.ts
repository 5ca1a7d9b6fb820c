import { Command } from 'commander';
import { systemContext } from '#commands/systemContext.ts';
import { updateTenant } from '#commands/tenant/update.ts';
import { getTenant } from '#queries/tenant/get.ts';
import { merchantNames, merchantsSetting } from '#src/accountUpdater/merchants.ts';
import { runJob } from '#src/cli/accountUpdaterJob.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { operatorOf } from '#src/cli/operator.ts';
import { orRefuse } from '#src/cli/refusal.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';

/** `holdfast account-updater …`: all of it works beside the running service. */
export function accountUpdaterCommand(): Command {
  const command = new Command('account-updater').description('cards that were replaced or renewed');
  command
    .command('run <file>')
    .description('bring the card tokens of a request file up to date, and write the result file')
    .requiredOption('--out <file>', 'where the result file is written')
    .option('--tenant <id>', 'whose tokens they are; by default those of the only tenant')
    .action((file: string, options: { out: string; tenant?: string }) =>
      withComposition((composition) => runJob(composition, file, options)),
    );
  command
    .command('merchants <tenant-id> [merchant-ids...]')
    .description('print the merchants that rows of a tenant may name, or set them')
    .option('--any', 'forget the list: rows may name any merchant')
    .action((tenantId: string, names: string[], options: { any?: true }) =>
      withComposition((composition) => merchants(composition, tenantId, names, options)),
    );
  return command;
}

async function merchants(
  composition: Composition,
  tenantId: string,
  names: readonly string[],
  { any = false }: { any?: boolean },
): Promise<void> {
  if (any && names.length > 0) throw new OperatorError('--any goes without merchants');
  const wrong = names.find((name) => name.includes(',') || name.trim() === '' || name !== name.trim());
  if (wrong !== undefined) throw new OperatorError(`'${wrong}' is not the id of a merchant`);
  const { name, settings } = await orRefuse(`tenant ${tenantId}`, () => getTenant(composition, tenantId));
  const { [merchantsSetting]: before = '', ...others } = settings;
  const after = any || names.length > 0 ? names.join(',') : before;
  if (after !== before) {
    const changed = { name, settings: after === '' ? others : { ...others, [merchantsSetting]: after } };
    await orRefuse(`tenant ${tenantId}`, () =>
      updateTenant(composition, systemContext(tenantId, operatorOf(composition.config)), changed),
    );
  }
  for (const merchant of merchantNames(after)) print.line(merchant);
  if (after === '') print.error('There is no list: rows may name any merchant.');
}
