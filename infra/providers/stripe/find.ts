import { at, listAt, textAt } from '#infra/providers/http/json.ts';
import { keyName } from '#infra/providers/stripe/authorization.ts';
import type { Form } from '#infra/providers/stripe/form.ts';
import {
  authorizationOutcome,
  captureOutcome,
  readReply,
  refundOutcome,
  voidOutcome,
} from '#infra/providers/stripe/outcomes.ts';
import type { Settled } from '#infra/providers/stripe/outcomes.ts';
import type { StripeHttp } from '#infra/providers/stripe/stripeHttp.ts';
import type { Unknown } from '#ports/paymentOutcome.ts';
import type { Finding, Question } from '#ports/paymentProvider.ts';

const mostPages = 10;
/** Clocks differ, and an answer may be long in coming. */
const secondsBefore = 120;
const secondsAfter = 300;
/** A call may still be on its way. */
const settlingMilliseconds = 60_000;
/** Search sees new intents after a minute, in trouble after an hour. */
const indexedMilliseconds = 3_600_000;

type Looked = { status: 'hit'; object: unknown } | { status: 'miss' } | { status: 'too_many' } | Finding;

export async function findAtStripe(http: StripeHttp, question: Question, now: Date): Promise<Finding> {
  switch (question.operation) {
    case 'authorize':
      return findIntent(http, question, now);
    case 'capture':
    case 'void': {
      const { transactionId } = question.payment;
      const intent = await read(http, question, intentPath(transactionId), { expand: ['latest_charge'] });
      if (intent.status !== 'hit') return deciding(intent, question, now);
      const outcome = (question.operation === 'capture' ? captureOutcome : voidOutcome)(intent.object);
      return outcome === undefined
        ? deciding({ status: 'miss' }, question, now)
        : { status: 'found', outcome };
    }
    case 'refund': {
      const query = { payment_intent: question.payment.transactionId };
      const refund = await lookThrough(http, question, '/v1/refunds', query);
      if (refund.status !== 'hit') return deciding(refund, question, now);
      return foundWith(refundOutcome(refund.object));
    }
  }
}

/** The list of its time is complete at once, but may be long; search is quick, but late. */
async function findIntent(http: StripeHttp, question: Question, now: Date): Promise<Finding> {
  const since = Math.floor(question.since.getTime() / 1000);
  const created = { gte: since - secondsBefore, lte: since + secondsAfter };
  const query = { created, expand: ['data.latest_charge'] };
  const listed = await lookThrough(http, question, '/v1/payment_intents', query);
  if (listed.status === 'hit') return foundWith(authorizationOutcome(listed.object));
  if (listed.status !== 'too_many') return deciding(listed, question, now);
  const search = { query: `metadata['${keyName}']:'${question.idempotencyKey}'` };
  const page = await read(http, question, '/v1/payment_intents/search', search);
  if (page.status !== 'hit') return deciding(page, question, now);
  const id = textAt(listAt(page.object, 'data')[0], 'id');
  if (id === undefined) {
    const indexed = now.getTime() - question.since.getTime() > indexedMilliseconds;
    return indexed ? { status: 'not_found' } : { status: 'undecided' };
  }
  const intent = await read(http, question, intentPath(id), { expand: ['latest_charge'] });
  return intent.status === 'hit'
    ? foundWith(authorizationOutcome(intent.object))
    : deciding(intent, question, now);
}

/** The object that carries the question's key, page by page. */
async function lookThrough(http: StripeHttp, question: Question, path: string, query: Form): Promise<Looked> {
  let last: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await read(http, question, path, { ...query, limit: 100, starting_after: last });
    if (page.status !== 'hit') return page;
    const objects = listAt(page.object, 'data');
    const object = objects.find((each) => at(each, 'metadata', keyName) === question.idempotencyKey);
    if (object !== undefined) return { status: 'hit', object };
    last = textAt(objects.at(-1), 'id');
    if (at(page.object, 'has_more') !== true || last === undefined) return { status: 'miss' };
  }
  return { status: 'too_many' };
}

async function read(http: StripeHttp, { connection }: Question, path: string, query: Form): Promise<Looked> {
  const reply = readReply(await http.get(connection, path, query));
  if (reply.status === 'read') return { status: 'hit', object: reply.json };
  if (reply.status === 'unauthorized') return reply;
  return reply.status === 'not_done' ? { ...reply, status: 'undecided' } : { status: 'undecided' };
}

function deciding(looked: Exclude<Looked, { status: 'hit' }>, question: Question, now: Date): Finding {
  if (looked.status === 'too_many') return { status: 'undecided' };
  if (looked.status !== 'miss') return looked;
  const waited = now.getTime() - question.since.getTime();
  return waited < settlingMilliseconds
    ? { status: 'undecided', retryAfterMilliseconds: settlingMilliseconds - waited }
    : { status: 'not_found' };
}

const foundWith = (outcome: Settled | Unknown): Finding =>
  outcome.status === 'unknown' ? { status: 'undecided' } : { status: 'found', outcome };

export const intentPath = (id: string): string => `/v1/payment_intents/${encodeURIComponent(id)}`;
