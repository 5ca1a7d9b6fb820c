import { Command } from 'commander';
import { createFullApplication } from '#commands/application/create.ts';
import { createTenant } from '#commands/tenant/create.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import { systemContext } from '#commands/systemContext.ts';
import { randomId } from '#src/identifiers.ts';

const maximumName = 200;

/** `holdfast tenant …` */
export function tenantCommand(): Command {
  const command = new Command('tenant').description('tenants');
  command
    .command('create <name>')
    .description('make a tenant and print its first management key')
    .action((name: string) => withComposition((composition) => create(composition, name)));
  return command;
}

async function create(
  composition: Parameters<Parameters<typeof withComposition>[0]>[0],
  name: string,
): Promise<void> {
  if (name.trim() === '' || name.length > maximumName) {
    throw new OperatorError(`a tenant's name must be 1 to ${maximumName} characters long`);
  }
  const tenantId = randomId();
  const actor = { type: 'operator', id: 'command line' } as const;
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
