import { ProjectionsHalted } from '#projections/engine/engine.ts';
import { ViewBusy } from '#projections/engine/shadow.ts';
import { NothingToVerify, verify } from '#projections/engine/verify.ts';
import type { Verified } from '#projections/engine/verify.ts';
import { projections } from '#projections/index.ts';
import type { Finding } from '#src/cli/finding.ts';
import { print } from '#src/cli/print.ts';
import type { Composition } from '#src/main/compose.ts';
import { engineOf } from '#src/main/engine.ts';

/** Holds every view against the log. Undefined: there are none yet, as in a backup. */
export async function views(composition: Composition): Promise<Finding | undefined> {
  const engine = engineOf(composition);
  const faults: string[] = [];
  let count = 0;
  for (const { name } of projections) {
    try {
      const verified = await verify(engine, name, () => {
        print.progress(`view ${name}`);
      });
      count += 1;
      faults.push(...faultsOf(verified));
    } catch (error) {
      // A view that is being made is made of the log.
      if (error instanceof NothingToVerify || error instanceof ViewBusy) continue;
      if (!(error instanceof ProjectionsHalted)) throw error;
      faults.push(`view ${name}: ${error.message}`);
    }
  }
  if (count === 0 && faults.length === 0) return undefined;
  return { what: `${count} views as the log has them`, faults };
}

const faultsOf = ({ view, tables }: Verified): string[] =>
  tables
    .filter(({ equal }) => !equal)
    .flatMap(({ table, changed, liveRows, expectedRows }) => [
      `view ${view}: the table ${table} has ${liveRows} rows, and by the log ${expectedRows}, or others`,
      ...changed.map((key) => `view ${view}: the row ${key} of ${table} is not what the log says`),
    ]);
