import { OutboundFailed, OutboundRefused, OutboundTimedOut, OutboundUnreachable } from '#ports/outbound.ts';
import type { Outbound, OutboundHeaders, OutboundStream } from '#ports/outbound.ts';
import { retryAfterOf } from '#src/outgoing/retryAfter.ts';

/** For an attempt, in milliseconds. */
const timeLimit = 15_000;
/** What an answer may say before its connection is given up: the status is all that counts. */
const readBytes = 16 * 1024;
/** For the body of an answer, in milliseconds. */
const readLimit = 1_000;

export type Posting = {
  tenantId: string;
  url: string;
  headers: OutboundHeaders;
  body: string;
  /** Gives the attempt up: it then rejects with the signal's reason. */
  signal?: AbortSignal;
};

export type Posted = {
  accepted: boolean;
  /** The HTTP status that came back, or the kind of obstacle. */
  outcome: string;
  /** Undefined: none came. */
  status: number | undefined;
  milliseconds: number;
  /** What the receiver asks for before the next attempt, in milliseconds. */
  retryAfter: number | undefined;
};

/** Posts JSON once. Any 2xx accepts it; a redirect does not, and is not followed. */
export async function post(outbound: Pick<Outbound, 'stream'>, posting: Posting): Promise<Posted> {
  const startedAt = performance.now();
  const ended = (facts: Omit<Posted, 'milliseconds'>): Posted => ({
    ...facts,
    milliseconds: Math.round(performance.now() - startedAt),
  });
  const given = new AbortController();
  // Not `AbortSignal.any`: the caller's signal lives long, and would gather what hangs on it.
  const giveUp = (): void => {
    given.abort(posting.signal?.reason);
  };
  if (posting.signal?.aborted === true) giveUp();
  posting.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const answer = await outbound.stream({
      tenantId: posting.tenantId,
      url: posting.url,
      method: 'POST',
      headers: [['Content-Type', 'application/json'], ...posting.headers],
      body: Buffer.from(posting.body),
      limits: { totalMilliseconds: timeLimit },
      signal: given.signal,
    });
    const { status, headers } = answer;
    await readLittle(answer, given);
    return ended({
      accepted: status >= 200 && status < 300,
      outcome: String(status),
      status,
      retryAfter: retryAfterOf(headers, new Date()),
    });
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    return ended({ accepted: false, outcome: kindOf(error), status: undefined, retryAfter: undefined });
  } finally {
    posting.signal?.removeEventListener('abort', giveUp);
  }
}

/** Short answers are read, so that their connection can be used again; of others, nothing is kept. */
async function readLittle({ body }: OutboundStream, given: AbortController): Promise<void> {
  const timer = setTimeout(() => {
    given.abort();
  }, readLimit);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > readBytes) break;
    }
  } catch {
    // The receiver has said what counts.
  } finally {
    clearTimeout(timer);
  }
}

function kindOf(error: OutboundFailed): string {
  if (error instanceof OutboundRefused) return `refused_${error.reason}`;
  if (error instanceof OutboundUnreachable) return `unreachable_${error.obstacle}`;
  if (error instanceof OutboundTimedOut) return `timed_out_${error.phase}`;
  return 'too_large';
}
