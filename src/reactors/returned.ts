import { mayAnywhere } from '#access/evaluate.ts';
import { recordTokenUse } from '#commands/recordUse.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { problemOf } from '#http/problem.ts';
import { isDeeperThan } from '#expressions/json.ts';
import { depthLimit } from '#http/request/parseJson.ts';
import { tokenizeJson } from '#http/tokenization.ts';
import { noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { textFaults } from '#http/validation/text.ts';
import type { AccessDirectory } from '#ports/accessDirectory.ts';
import type { Audit } from '#ports/audit.ts';
import type { Json } from '#ports/json.ts';
import { Forbidden, Refused, Unauthenticated, ValidationFailed } from '#src/errors.ts';
import { contextOf } from '#src/reactors/context.ts';
import { jsonHeaders } from '#src/reactors/content.ts';
import type { PreparedInvocation, ReactorAnswer } from '#src/reactors/invocation.ts';
import { problemAnswer, runtimeError } from '#src/reactors/problems.ts';

export type ReturnedDependencies = CommandDependencies & {
  accessDirectory: Pick<AccessDirectory, 'ofApplication'>;
  audit: Audit;
};

/** What the code returned. */
type Returned = { raw?: Json; tokenize?: Json };

/** The answer to what code returned: raw as it is, and the tokens of what it wants tokenized. spec: Reactor Response */
export async function answerReturned(
  dependencies: ReturnedDependencies,
  prepared: PreparedInvocation,
  result: string,
): Promise<ReactorAnswer> {
  const returned = JSON.parse(result) as Returned;
  // The sandbox promises it; but it is code of tenants that it holds.
  if (isDeeperThan(returned as Json, depthLimit + 1)) return runtimeError('The result is too deeply nested.');
  const { raw, tokenize } = returned;
  try {
    const tokens =
      tokenize === undefined || tokenize === null
        ? undefined
        : await tokenizeFor(dependencies, prepared, tokenize);
    return {
      status: 200,
      headers: jsonHeaders,
      body: { ...(tokens === undefined ? {} : { tokens }), ...(raw === undefined ? {} : { raw }) },
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return problemAnswer(problemOf(error));
  }
}

/** As a request of the caller to POST /tokenize would. */
async function tokenizeFor(
  dependencies: ReturnedDependencies,
  { caller, origin }: PreparedInvocation,
  tokenize: Json,
): Promise<Json> {
  // It may have been deleted while the code ran, or before its turn came.
  if (
    (await dependencies.accessDirectory.ofApplication(caller.tenantId, caller.applicationId)) === undefined
  ) {
    throw new Unauthenticated('The application that called was deleted, or has expired.');
  }
  const permission = 'token:create';
  if (!mayAnywhere(caller, permission)) {
    throw new Forbidden(`The application lacks the permission ${permission}.`);
  }
  const faults = noFaults();
  textFaults(tokenize, '', faults);
  refuseIfAny(underTokenize(faults));
  try {
    const context = contextOf(caller, origin);
    const { outcome, present } = await tokenizeJson(dependencies, context, tokenize);
    // What the code gave is told by events; what was there already is shown to its caller.
    for (const { token, data, rendered, isExisting } of outcome.result) {
      if (isExisting !== true || data === undefined) continue;
      await recordTokenUse(dependencies, context, token.id, rendered);
    }
    return present(outcome.result);
  } catch (error) {
    if (error instanceof ValidationFailed) throw new ValidationFailed(underTokenize(error.faults));
    throw error;
  }
}

/** Faults are named by their path in what the code returned. */
const underTokenize = (faults: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(faults).map(([path, messages]) => [
      path === 'body' ? 'tokenize' : `tokenize${path.startsWith('[') ? '' : '.'}${path}`,
      messages,
    ]),
  );
