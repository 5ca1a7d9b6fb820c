import { Command } from 'commander';
import { createFullApplication } from '#commands/application/create.ts';
import { acceptInvitation } from '#commands/invitation/accept.ts';
import type { Names } from '#commands/invitation/accept.ts';
import { createInvitation } from '#commands/invitation/create.ts';
import { createTenant } from '#commands/tenant/create.ts';
import { deleteTenant, eraseTenant } from '#commands/tenant/delete.ts';
import { defaultRole } from '#domain/member/role.ts';
import { getTenant } from '#queries/tenant/get.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { operatorOf } from '#src/cli/operator.ts';
import { orRefuse } from '#src/cli/refusal.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import { systemContext } from '#commands/systemContext.ts';
import type { Composition } from '#src/main/compose.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid, randomId } from '#src/identifiers.ts';

const maximumName = 200;

/** `holdfast tenant …` */
export function tenantCommand(): Command {
  const command = new Command('tenant').description('tenants and their members');
  command
    .command('create <name>')
    .description('make a tenant and print its first management key')
    .action((name: string) => withComposition((composition) => create(composition, name)));
  command
    .command('delete <id>')
    .description(
      'delete a tenant, destroy its keys, and print the receipt of what was destroyed; of one that is deleted, print it again',
    )
    .requiredOption('--yes', 'say that nothing of it will ever be read again')
    .action((id: string) => withComposition((composition) => destroy(composition, id)));
  command
    .command('invite <tenant-id> <email>')
    .description('invite an email address to a tenant and print the invitation; no mail is sent')
    .option('--role <role>', 'what the member is to be', defaultRole)
    .action((tenantId: string, email: string, options: { role: string }) =>
      withComposition((composition) => invite(composition, tenantId, { email, ...options })),
    );
  command
    .command('accept-invitation <tenant-id> <invitation-id>')
    .description('make whoever was invited a member of the tenant')
    .option('--first-name <name>', 'the first name of the member')
    .option('--last-name <name>', 'the last name of the member')
    .action((tenantId: string, invitationId: string, options: Partial<Names>) =>
      withComposition((composition) => accept(composition, tenantId, invitationId, options)),
    );
  return command;
}

async function destroy(composition: Composition, id: string): Promise<void> {
  if (!isUuid(id)) throw new OperatorError(`'${id}' is not the id of a tenant`);
  const context = systemContext(id.toLowerCase(), operatorOf(composition.config));
  const { result } = await orRefuse(`tenant ${id}`, () =>
    eraseTenant(composition, context).catch((error: unknown) => {
      // Only of one that was deleted already there is a receipt.
      if (error instanceof NotFound) return deleteTenant(composition, context);
      throw error;
    }),
  );
  print.line(`tenant    ${result.id}`);
  print.line(`deleted   ${result.deletedAt}`);
  print.line(`erased    ${result.erasedAt}`);
  for (const { purpose, version } of result.keys) print.line(`key       ${purpose}, version ${version}`);
  print.line(`payloads  ${result.payloads}`);
  if (result.filesRemoved) print.line('files     removed');
  print.line();
  print.line('The keys are destroyed. Backups of before still hold them, wrapped by the root key:');
  print.line('what they hold can be read only with the root key.');
}

async function create(composition: Composition, name: string): Promise<void> {
  if (name.trim() === '' || name.length > maximumName) {
    throw new OperatorError(`a tenant's name must be 1 to ${maximumName} characters long`);
  }
  const tenantId = randomId();
  const key = composition.credentials.generate('management');
  await createTenant(composition, systemContext(tenantId, operatorOf(composition.config)), name);
  await createFullApplication(composition, systemContext(tenantId, operatorOf(composition.config)), {
    name: `${name.slice(0, maximumName - 11)} management`,
    type: 'management',
    key,
  });
  print.line(`tenant          ${tenantId}`);
  print.line(`management key  ${key}`);
  print.error('The key is shown this once.');
}

async function invite(
  composition: Composition,
  tenantId: string,
  invitation: { email: string; role: string },
): Promise<void> {
  await requireTenant(composition, tenantId);
  const { result } = await orRefuse(`tenant ${tenantId}`, () =>
    createInvitation(composition, systemContext(tenantId, operatorOf(composition.config)), invitation),
  );
  print.line(`invitation  ${result.record.id}`);
  print.line(`expires at  ${result.record.expiresAt}`);
  print.error('No mail is sent: accept it with `holdfast tenant accept-invitation`.');
}

async function accept(
  composition: Composition,
  tenantId: string,
  invitationId: string,
  { firstName, lastName }: Partial<Names>,
): Promise<void> {
  await requireTenant(composition, tenantId);
  const { result } = await orRefuse(`open invitation ${invitationId} to tenant ${tenantId}`, () =>
    acceptInvitation(composition, systemContext(tenantId, operatorOf(composition.config)), invitationId, {
      firstName,
      lastName,
    }),
  );
  print.line(`member  ${result.id}`);
  print.line(`user    ${result.userId}`);
}

const requireTenant = (composition: Composition, tenantId: string): Promise<unknown> =>
  orRefuse(`tenant ${tenantId}`, () => getTenant(composition, tenantId));
