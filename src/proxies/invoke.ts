import { problem, problemOf } from '#http/problem.ts';
import type { Answer } from '#http/route.ts';
import type { Outbound } from '#ports/outbound.ts';
import { handedOn, transformed, withStatus } from '#src/proxies/answer.ts';
import { recordPassage } from '#src/proxies/audit.ts';
import type { PassageAudit } from '#src/proxies/audit.ts';
import { findDestination, urlUnder } from '#src/proxies/destination.ts';
import type { Destination, DestinationDependencies } from '#src/proxies/destination.ts';
import { detokenizeOutgoing } from '#src/proxies/detokenizeOutgoing.ts';
import type { DetokenizedOutgoing } from '#src/proxies/detokenizeOutgoing.ts';
import { Refused } from '#src/errors.ts';
import { passagesOf } from '#src/proxies/headers.ts';
import { proxyingLimits } from '#src/proxies/limits.ts';
import { withTokens } from '#src/proxies/madeTokens.ts';
import type { MadeTokens } from '#src/proxies/madeTokens.ts';
import type { Outgoing, ProxyRequest } from '#src/proxies/message.ts';
import { outgoingOf } from '#src/proxies/outgoing.ts';
import { createPatience } from '#src/proxies/patience.ts';
import { failureAnswer, isWrapped, problemAnswer, transformAnswer } from '#src/proxies/problems.ts';
import { changeRequest, readRequest, requestArgs } from '#src/proxies/requestTransform.ts';
import { sendOn } from '#src/proxies/send.ts';
import { runTransform } from '#src/proxies/transform.ts';
import type { TransformDependencies } from '#src/proxies/transform.ts';

export type InvokeProxyDependencies = DestinationDependencies &
  TransformDependencies &
  PassageAudit & {
    outbound: Outbound;
    /** How long a destination may take to answer, in milliseconds. */
    proxyTimeout: number;
  };

/**
 * Sends a request on to its destination, with tokens in the clear where the caller may use them, and answers what that
 * answers. What is used is written down before anybody sees it. Source: reference of proxies.
 * @throws Unauthenticated @throws Forbidden @throws NotFound @throws ValidationFailed
 * @throws PayloadTooLarge @throws UnsupportedMediaType @throws Unprocessable
 */
export async function invokeProxy(
  dependencies: InvokeProxyDependencies,
  request: ProxyRequest,
): Promise<Answer> {
  const { caller, origin, incoming } = request;
  const destination = await findDestination(dependencies, caller, incoming);
  const { baseUrl, proxy } = destination;
  if (passagesOf(incoming.headers) >= proxyingLimits.passages) return problemAnswer(problem(508));
  const { outgoing, tokens } = await prepare(dependencies, request, destination);
  const url = urlUnder(baseUrl, incoming.path, outgoing.query);
  if (proxy?.record.requestTransform === undefined) {
    await recordPassage(dependencies, request, destination, tokens);
    return exchange(dependencies, request, destination, { url, outgoing });
  }
  const read = readRequest(outgoing);
  const args = requestArgs(request, outgoing, read);
  await recordPassage(dependencies, request, destination, tokens);
  const outcome = await runTransform(dependencies, proxy, 'request', args, origin);
  if ('answer' in outcome) return transformAnswer(outcome.answer);
  const changed = changeRequest(outgoing, outcome.message, read);
  return namingTokens(outcome.made, () =>
    exchange(dependencies, request, destination, { url, outgoing: changed }),
  );
}

/** An error of the service that comes after the transform hides from the caller what that has made. */
async function namingTokens(
  made: Pick<MadeTokens, 'ids'>,
  answering: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await answering().catch(async (error: unknown) => {
    if (!(error instanceof Refused) || (await made.ids()).length === 0) throw error;
    return problemAnswer(problemOf(error));
  });
  return isWrapped(answer.body)
    ? { ...answer, body: { proxy_error: withTokens(answer.body.proxy_error, await made.ids()) } }
    : answer;
}

/** Without a key nobody has rights to any token, so that what looks like an expression is none. */
async function prepare(
  dependencies: InvokeProxyDependencies,
  { caller, incoming }: ProxyRequest,
  { proxy }: Destination,
): Promise<DetokenizedOutgoing> {
  const outgoing = await outgoingOf(incoming, {
    searches: caller !== undefined,
    transforms: proxy?.record.requestTransform !== undefined,
    isAnswerRead: proxy?.record.responseTransform !== undefined,
  });
  return caller === undefined ? { outgoing, tokens: [] } : detokenizeOutgoing(dependencies, caller, outgoing);
}

async function exchange(
  dependencies: InvokeProxyDependencies,
  { origin, incoming }: ProxyRequest,
  { tenantId, proxy, onBehalfOf }: Destination,
  { url, outgoing }: { url: string; outgoing: Outgoing },
): Promise<Answer> {
  const { outbound, proxyTimeout } = dependencies;
  const patience = createPatience(proxyTimeout, incoming.gone);
  let answered: number | undefined;
  try {
    const answer = await sendOn(outbound, { tenantId, onBehalfOf, url, outgoing, incoming, patience });
    answered = answer.status;
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (proxy?.record.responseTransform === undefined || !isSuccess) {
      patience.end();
      return await handedOn(answer, incoming.method);
    }
    return await transformed(answer, (args) => {
      patience.end();
      return runTransform(dependencies, proxy, 'response', args, origin);
    });
  } catch (error) {
    const failure = failureAnswer(error, proxyTimeout / 1_000);
    if (failure !== undefined) return answered === undefined ? failure : withStatus(failure, answered);
    // Nobody will read this.
    if (incoming.gone.aborted) return problemAnswer(problem(502));
    throw error;
  } finally {
    patience.end();
  }
}
