import { Command } from 'commander';
import { createFullApplication } from '#commands/application/create.ts';
import { createTenant } from '#commands/tenant/create.ts';
import { deleteTenant } from '#commands/tenant/delete.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import { systemContext } from '#commands/systemContext.ts';
import type { Composition } from '#src/main/compose.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid, randomId } from '#src/identifiers.ts';

const maximumName = 200;

/** `holdfast tenant …` */
export function tenantCommand(): Command {
  const command = new Command('tenant').description('tenants');
  command
    .command('create <name>')
    .description('make a tenant and print its first management key')
    .action((name: string) => withComposition((composition) => create(composition, name)));
  command
    .command('delete <id>')
    .description('delete a tenant, destroy its keys, and print the receipt of what was destroyed')
    .requiredOption('--yes', 'say that nothing of it will ever be read again')
    .action((id: string) => withComposition((composition) => destroy(composition, id)));
  return command;
}

const actor = { type: 'operator', id: 'command line' } as const;

async function destroy(composition: Composition, id: string): Promise<void> {
  if (!isUuid(id)) throw new OperatorError(`'${id}' is not the id of a tenant`);
  try {
    const { result } = await deleteTenant(composition, systemContext(id.toLowerCase(), actor));
    print.line(`tenant    ${result.id}`);
    print.line(`deleted   ${result.deletedAt}`);
    print.line(`erased    ${result.erasedAt}`);
    for (const { purpose, version } of result.keys) print.line(`key       ${purpose}, version ${version}`);
    print.line(`payloads  ${result.payloads}`);
    print.line();
    print.line('The keys are destroyed. Backups of before still hold them, wrapped by the root key:');
    print.line('what they hold can be read only with the root key.');
  } catch (error) {
    if (error instanceof NotFound) throw new OperatorError(`there is no tenant ${id}`);
    throw error;
  }
}

async function create(composition: Composition, name: string): Promise<void> {
  if (name.trim() === '' || name.length > maximumName) {
    throw new OperatorError(`a tenant's name must be 1 to ${maximumName} characters long`);
  }
  const tenantId = randomId();
  const key = composition.credentials.generate('management');
  await createTenant(composition, systemContext(tenantId, actor), name);
  await createFullApplication(composition, systemContext(tenantId, actor), {
    name: `${name.slice(0, maximumName - 11)} management`,
    type: 'management',
    key,
  });
  print.line(`tenant          ${tenantId}`);
  print.line(`management key  ${key}`);
  print.error('The key is shown this once.');
}
