import { join } from 'node:path';
import { Command } from 'commander';
import type { Administration, Progress } from '#infra/vault/administration/administration.ts';
import { refingerprint } from '#infra/vault/administration/refingerprint.ts';
import type { RefingerprintOptions } from '#infra/vault/administration/refingerprint.ts';
import { rewrapPayloads } from '#infra/vault/administration/rewrap.ts';
import { fingerprintedText } from '#commands/token/secret.ts';
import { refersTo } from '#domain/payloads.ts';
import { tokenTypeNames, tokenTypeOf } from '#domain/token/types/index.ts';
import { rotateDataKeys } from '#infra/vault/administration/rotate.ts';
import { rotateRootKey } from '#infra/vault/administration/rotateRoot.ts';
import { keyStatus } from '#infra/vault/administration/status.ts';
import { bar, OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import { isUuid } from '#src/identifiers.ts';

/** `holdfast keys …`: all of it works beside the running service. */
export function keysCommand(): Command {
  const command = new Command('keys').description("the vault's keys");
  command
    .command('status')
    .description('which keys there are, and what is encrypted under them')
    .action(() => run(printStatus));
  command
    .command('rotate')
    .description('give tenants a new data key version for what is stored from now on')
    .option('--tenant <id>', 'only this tenant')
    .option('--root', 'add a new root key to the key file and wrap every key under it')
    .action((options: { tenant?: string; root?: boolean }) =>
      run((keys, composition) => rotate(keys, composition, options)),
    );
  command
    .command('rewrap')
    .description('encrypt everything stored under the newest version of keys, and retire old versions')
    .option('--tenant <id>', 'only this tenant')
    .action((options: { tenant?: string }) =>
      run((keys, composition) => rewrap(keys, composition, options.tenant)),
    );
  return command;
}

const run = (action: (keys: Administration, composition: Composition) => Promise<void>): Promise<void> =>
  withComposition(async (composition) => {
    const { pools, keyProvider, config } = composition;
    try {
      await action({ pool: pools.owner, keyProvider, environment: config.environment }, composition);
    } catch (error) {
      print.progressEnd();
      if (error instanceof TenantKeysMissing) throw new OperatorError(error.message);
      throw error;
    }
  });

async function printStatus(keys: Administration): Promise<void> {
  const { rootKey, rootKeys, processes, dataKeys } = await keyStatus(keys);
  print.line(`root key ${rootKey}`);
  for (const { name, keys: count } of rootKeys) print.line(`  ${count} keys wrapped under ${name}`);
  print.line();
  print.table(
    ['PROCESS', 'UP TO DATE', 'SEEN'],
    processes.map(({ id, upToDate, seenAt }) => [id, upToDate ? 'yes' : 'no', seenAt.toISOString()]),
  );
  print.line();
  print.table(
    ['TENANT', 'VERSION', 'STATE', 'CREATED', 'PAYLOADS', 'UNBOUND'],
    dataKeys.map((key) => [
      key.tenantId,
      String(key.version),
      key.state,
      key.createdAt.toISOString(),
      String(key.payloads),
      String(key.unbound),
    ]),
  );
}

async function rotate(
  keys: Administration,
  composition: Composition,
  { tenant, root }: { tenant?: string; root?: boolean },
): Promise<void> {
  const { config } = composition;
  if (root === true) {
    if (tenant !== undefined) {
      throw new OperatorError('the root key belongs to all tenants: leave out --tenant');
    }
    if (config.rootKey !== undefined) {
      throw new OperatorError(
        'the root key comes from HOLDFAST_ROOT_KEY: put the new key before the old, with a comma between',
      );
    }
    await record(composition, { operation: 'rotate', entityType: 'key' });
    const wrapped = await rotateRootKey(keys, join(config.dataDirectory, 'root.key'), report);
    print.progressEnd();
    print.line(`${wrapped} keys are wrapped under the new root key; back the key file up`);
    return;
  }
  await record(composition, { operation: 'rotate', entityType: 'key', tenantId: checkedTenant(tenant) });
  const rotated = await rotateDataKeys(keys, checkedTenant(tenant), report);
  print.progressEnd();
  print.line(`${rotated} tenants have a new data key; keys rewrap brings what is stored under it`);
}

async function rewrap(
  keys: Administration,
  composition: Composition,
  tenant: string | undefined,
): Promise<void> {
  await record(composition, { operation: 'rewrap', entityType: 'key', tenantId: checkedTenant(tenant) });
  const { payloads, left, retired, destroyed } = await rewrapPayloads(keys, checkedTenant(tenant), {
    isKeptBy: async (stream, payloadId) =>
      (await composition.log.readStream(stream)).some((event) => refersTo(payloadId, event)),
    onProgress: report,
  });
  const fingerprints = await refingerprint(keys, checkedTenant(tenant), ownFingerprints);
  print.progressEnd();
  if (fingerprints > 0) print.line(`${fingerprints} fingerprints computed anew`);
  if (left > 0) {
    print.line(
      `${left} payloads were left: they go by themselves within a week, or \`holdfast verify\` names them`,
    );
  }
  print.line(`${payloads} payloads rewrapped, ${retired} key versions retired, ${destroyed} destroyed`);
}

const ownFingerprints: RefingerprintOptions = {
  defaultExpressions: new Map(
    tokenTypeNames.map((name) => [name, tokenTypeOf({ type: name }).defaultFingerprintExpression]),
  ),
  render: ({ expression, data, metadata }) => fingerprintedText(expression, data, metadata),
};

function checkedTenant(tenant: string | undefined): string | undefined {
  if (tenant !== undefined && !isUuid(tenant)) {
    throw new OperatorError(`'${tenant}' is not the id of a tenant`);
  }
  return tenant;
}

function report({ done, total }: Progress): void {
  if (total > 0) print.progress(`${bar(done / total)} ${done} of ${total}`);
}
