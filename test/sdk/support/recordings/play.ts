import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from '#test/support/until.ts';
import { differences } from '#test/sdk/support/recordings/differences.ts';
import { fill } from '#test/sdk/support/recordings/fill.ts';
import type { Exchange, Recording } from '#test/sdk/support/recordings/recording.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** An exchange that did not come out as recorded, and how. */
export type Deviation = { exchange: string; differences: string[] };

/** Sends what a client sent, in its order, and says what it would miss. @param named what the recordings name */
export async function play(
  url: string,
  { shapes, exchanges }: Recording,
  named: Readonly<Record<string, string>>,
): Promise<Deviation[]> {
  const answers = new Map<number, unknown>();
  const deviations: Deviation[] = [];
  for (const exchange of exchanges) {
    const { n, ask, want } = exchange;
    const answer = await ended(
      want.status,
      () => send(url, ask, (given) => fill(given, named, answers)),
      ask,
    );
    const json = jsonOf(answer.text);
    answers.set(n, json);
    const shape = want.shape === undefined ? undefined : shapes[want.shape];
    const found = [...differencesOf(want, answer), ...(shape === undefined ? [] : differences(shape, json))];
    const missing = (want.members ?? []).filter((name) => Reflect.get(Object(json), name) === undefined);
    const all = [...found, ...missing.map((name) => `${name} is missing`)];
    if (all.length > 0) deviations.push({ exchange: `${n} ${ask.method} ${ask.path}`, differences: all });
  }
  return deviations;
}

/** A result that was not there yet was asked for again by the clients. */
async function ended(
  status: number,
  ask: () => Promise<Answer>,
  { method }: Exchange['ask'],
): Promise<Answer> {
  let answer = await ask();
  if (method !== 'GET' || status !== 200 || answer.status !== 404) return answer;
  await until(async () => {
    answer = await ask();
    return answer.status !== 404;
  }, 60_000).catch(() => undefined);
  return answer;
}

function differencesOf({ status, type }: Exchange['want'], answer: Answer): string[] {
  if (answer.status !== status) {
    return [`the status is ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`];
  }
  const given = answer.headers['content-type'] ?? 'none';
  return type === undefined || given.startsWith(type) ? [] : [`the media type is ${given}, not ${type}`];
}

/** By the bare client of Node: a fetch adds headers of its own. */
function send(url: string, ask: Exchange['ask'], filled: (given: string) => string): Promise<Answer> {
  const body = ask.body === undefined ? undefined : filled(ask.body);
  const headers = Object.fromEntries(
    Object.entries(ask.headers)
      .filter(([name]) => name !== 'accept-encoding')
      .map(([name, value]) => [name, filled(value)]),
  );
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method: ask.method, path: filled(ask.path) };
    request({ ...options, headers: { ...headers, ...length } }, (response) => {
      const { statusCode = 0, headers: given } = response;
      text(response).then((received) => {
        resolve({ status: statusCode, headers: given, text: received });
      }, reject);
    })
      .on('error', reject)
      .end(body);
  });
}

function jsonOf(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}
