import type { CommandDependencies } from '#commands/context.ts';
import { loadInvocation } from '#commands/invocation/load.ts';
import { recordAttempt } from '#commands/invocation/recordAttempt.ts';
import type { Task } from '#ports/jobs.ts';
import type { MessageSigner } from '#ports/messageSigner.ts';
import type { Outbound } from '#ports/outbound.ts';
import { unlessErased } from '#src/jobs/patiently.ts';
import { post } from '#src/outgoing/post.ts';
import type { Posted } from '#src/outgoing/post.ts';
import { delayAfter } from '#src/outgoing/schedule.ts';
import { serviceSignature } from '#src/outgoing/signature.ts';
import { stableJson } from '#src/outgoing/stableJson.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { keptIn } from '#src/reactors/kept.ts';
import { invocationStream } from '#domain/invocation/events.ts';

/** The database has a clock of its own, which may be a little ahead, in milliseconds. */
const tolerance = 1_000;

export type CallbackSettings = {
  outbound: Pick<Outbound, 'stream'>;
  signer: MessageSigner;
  delays: readonly number[];
  concurrency: number;
  concurrencyOfTenant: number;
};

/** Sends the answer of an invocation to where the caller wants it. A retry is a job of its own. */
export const deliverCallback = (dependencies: CommandDependencies, settings: CallbackSettings): Task => ({
  name: 'deliver_callback',
  concurrency: settings.concurrency,
  concurrencyOfTenant: settings.concurrencyOfTenant,
  run: (subject) =>
    unlessErased(async () => {
      const { vault, clock } = dependencies;
      const { state, context } = await loadInvocation(dependencies, subject);
      if (state.status !== 'completed' && state.status !== 'failed') return;
      const { callback, resultPayloadId } = state;
      if (callback?.status !== 'pending') return;
      // A job that comes again for an attempt that was made.
      if (Date.parse(callback.nextAt ?? '') > clock.now().getTime() + tolerance) return;
      const stream = invocationStream(subject.tenantId, subject.id);
      const [callbackPayload, resultPayload] = await vault.read(subject.tenantId, [
        { id: callback.payloadId, stream },
        { id: resultPayloadId, stream },
      ]);
      const target = (await callbackPayload?.data()) as { url: string } | undefined;
      const answer = (await keptIn(resultPayload)) as ReactorAnswer | undefined;
      const sent =
        target === undefined || answer === undefined
          ? undefined
          : await send(settings, {
              ...subject,
              traceId: context.traceId,
              url: target.url,
              body: answer.body,
            });
      const delay = sent && delayAfter(sent, callback.attempts, settings.delays);
      await recordAttempt(dependencies, context, subject.id, {
        accepted: sent?.accepted ?? false,
        outcome: sent?.outcome ?? 'too_late',
        number: callback.attempts + 1,
        nextAt: delay === undefined ? undefined : new Date(clock.now().getTime() + delay).toISOString(),
      });
    }),
});

type Sending = { tenantId: string; id: string; traceId: string; url: string; body: unknown };

async function send(
  { outbound, signer }: CallbackSettings,
  { tenantId, id, traceId, url, body: answer }: Sending,
): Promise<Posted> {
  const body = answer === undefined ? '' : stableJson(answer);
  const headers = [
    ['webhook-id', id] as const,
    ['BT-TRACE-ID', traceId] as const,
    ...(await serviceSignature(signer, body)),
  ];
  return post(outbound, { tenantId, url, headers, body });
}
