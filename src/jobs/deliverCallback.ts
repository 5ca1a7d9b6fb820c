import type { CommandDependencies } from '#commands/context.ts';
import { loadInvocation } from '#commands/invocation/load.ts';
import { recordAttempt } from '#commands/invocation/recordAttempt.ts';
import type { Task } from '#ports/jobs.ts';
import { OutboundFailed, OutboundRefused, OutboundTimedOut, OutboundUnreachable } from '#ports/outbound.ts';
import type { Outbound } from '#ports/outbound.ts';
import { unlessErased } from '#src/jobs/patiently.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { keptIn } from '#src/reactors/kept.ts';

/** Pauses before the retries, in milliseconds: nine seconds, then always twice as long, 2.6 hours in all. */
export const callbackDelays: readonly number[] = Array.from({ length: 10 }, (_, n) => 9_000 * 2 ** n);

/** For an attempt, in milliseconds. */
const timeLimit = 15_000;
/** The database has a clock of its own, which may be a little ahead, in milliseconds. */
const tolerance = 1_000;

export type CallbackSettings = {
  outbound: Pick<Outbound, 'send'>;
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
      const payloads = await vault.read(subject.tenantId, [callback.payloadId, resultPayloadId]);
      const target = (await payloads.get(callback.payloadId)?.data()) as { url: string } | undefined;
      const answer = (await keptIn(payloads.get(resultPayloadId))) as ReactorAnswer | undefined;
      const sent =
        target === undefined || answer === undefined
          ? { accepted: false, outcome: 'too_late' }
          : await send(settings.outbound, {
              tenantId: subject.tenantId,
              traceId: context.traceId,
              url: target.url,
              body: answer.body,
            });
      const delay = sent.outcome === 'too_late' ? undefined : settings.delays[callback.attempts];
      await recordAttempt(dependencies, context, subject.id, {
        ...sent,
        number: callback.attempts + 1,
        nextAt: delay === undefined ? undefined : new Date(clock.now().getTime() + delay).toISOString(),
      });
    }),
});

type Sending = { tenantId: string; traceId: string; url: string; body: unknown };

async function send(
  outbound: Pick<Outbound, 'send'>,
  { tenantId, traceId, url, body }: Sending,
): Promise<{ accepted: boolean; outcome: string }> {
  try {
    const { status } = await outbound.send({
      tenantId,
      url,
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json'],
        ['BT-TRACE-ID', traceId],
      ],
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      limits: { totalMilliseconds: timeLimit },
    });
    return { accepted: status >= 200 && status < 300, outcome: String(status) };
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    return { accepted: false, outcome: kindOf(error) };
  }
}

function kindOf(error: OutboundFailed): string {
  if (error instanceof OutboundRefused) return `refused_${error.reason}`;
  if (error instanceof OutboundUnreachable) return `unreachable_${error.obstacle}`;
  if (error instanceof OutboundTimedOut) return `timed_out_${error.phase}`;
  return 'too_large';
}
