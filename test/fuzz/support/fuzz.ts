import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Pool } from 'undici';
import { Compile } from 'typebox/schema';
import type { ServiceProcess } from '#test/support/service.ts';
import { operationsOf } from '#test/fuzz/support/document.ts';
import type { OpenApiDocument, Operation } from '#test/fuzz/support/document.ts';
import { curlOf, Faults, rawCommandOf } from '#test/fuzz/support/faults.ts';
import { fill } from '#test/fuzz/support/fill.ts';
import type { FilledRequest } from '#test/fuzz/support/fill.ts';
import { KnownThings } from '#test/fuzz/support/known.ts';
import { sampleMemory } from '#test/fuzz/support/memory.ts';
import type { MemorySample } from '#test/fuzz/support/memory.ts';
import { rawBytes, sendRaw } from '#test/fuzz/support/rawBytes.ts';
import type { RawBytes } from '#test/fuzz/support/rawBytes.ts';
import { drafts } from '#test/fuzz/support/requests.ts';
import type { Draft } from '#test/fuzz/support/requests.ts';
import { receiver } from '#test/fuzz/support/values.ts';
import { judgeBy, parsed, problemFault } from '#test/fuzz/support/verdict.ts';
import type { Answered, Judge } from '#test/fuzz/support/verdict.ts';
import { Keys } from '#test/fuzz/support/world.ts';

export type FuzzOptions = {
  service: ServiceProcess;
  /** Settings by which the command line reaches the same service. */
  environment: Record<string, string>;
  /** Where deliveries may go. */
  sink: string;
  requests: number;
  seed: number;
  progress?: (done: number) => void;
};

export type FuzzResult = {
  faults: Faults;
  memory: MemorySample[];
  /** How often each operation was answered, by status. */
  answers: Map<string, Map<number, number>>;
};

const lanes = 24;
/** Requests between two looks at memory, and two renewals of keys. */
const stretch = 500;
/** One in so many is raw bytes. */
const rawEvery = 10;
/** A request that takes longer has got stuck, in milliseconds. */
const patience = 20_000;

/** Of a request that is answered 503. */
const attempts = 4;

type Task = { draft: Draft } | { raw: RawBytes };

/** Asks a service everything that its own document says it can be asked, and much that it does not. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { service, seed, requests, progress } = options;
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
  const run = await Run.begin(document, options);
  const memory: MemorySample[] = [];
  try {
    for (let done = 0; done < requests; done += stretch) {
      if (done > 0) await run.keys.renew();
      const count = Math.min(stretch, requests - done);
      await run.all(run.tasks(count, seed + done));
      memory.push(await sampleMemory(service.url));
      progress?.(done + count);
    }
  } finally {
    await run.close();
  }
  return { faults: run.faults, memory, answers: run.answers };
}

class Run {
  readonly faults = new Faults();
  readonly answers = new Map<string, Map<number, number>>();
  readonly keys: Keys;
  readonly #service: ServiceProcess;
  readonly #known: KnownThings;
  readonly #judge: Judge;
  readonly #isProblem: (body: unknown) => boolean;
  readonly #drafts: fc.Arbitrary<Draft>;
  readonly #pool: Pool;

  private constructor(
    document: OpenApiDocument,
    { service, sink }: FuzzOptions,
    keys: Keys,
    protectedIds: readonly string[],
  ) {
    this.keys = keys;
    this.#service = service;
    const operations = operationsOf(document).filter(({ permission }) => permission !== 'tenant:delete');
    this.#known = new KnownThings(operations, protectedIds);
    this.#known.learn({ path: '/' }, {}, { [receiver]: `${sink}/` });
    this.#judge = judgeBy(document);
    const problem = Compile(document.components.schemas['Problem'] as object);
    this.#isProblem = (body) => problem.Check(body);
    this.#drafts = drafts(document, operations);
    this.#pool = new Pool(service.url, { connections: lanes, headersTimeout: patience });
  }

  static async begin(document: OpenApiDocument, options: FuzzOptions): Promise<Run> {
    const keys = await Keys.make(options.service, options.environment);
    return new Run(document, options, keys, await keys.protected());
  }

  /** The same for the same seed. */
  tasks(count: number, seed: number): Task[] {
    const raw = Math.floor(count / rawEvery);
    return [
      ...fc.sample(this.#drafts, { numRuns: count - raw, seed }).map((draft) => ({ draft })),
      ...fc.sample(rawBytes, { numRuns: raw, seed }).map((bytes) => ({ raw: bytes })),
    ].sort((a, b) => Number('raw' in a) - Number('raw' in b));
  }

  async all(tasks: readonly Task[]): Promise<void> {
    const waiting = tasks.values();
    const lane = async (): Promise<void> => {
      for (const task of waiting) await ('raw' in task ? this.#bytes(task.raw) : this.#request(task.draft));
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #request(draft: Draft): Promise<void> {
    const { operation } = draft;
    const request = fill(draft, this.#known, this.#keyFor(draft));
    const answered = await this.#patiently(request);
    if ('error' in answered) {
      await this.faults.add(operation.name, `no answer (${answered.error})`, () => this.#curl(request));
      return;
    }
    this.#count(operation, answered.status);
    const fault = this.#judge(operation, answered);
    if (fault !== undefined) {
      const said = `${answered.status} ${answered.text.slice(0, 600)}`;
      await this.faults.add(operation.name, fault, async () => `${await this.#curl(request)}\n${said}`);
    }
    if (answered.status < 300) this.#learn(operation, request, answered.text);
  }

  #learn(operation: Operation, { parameters }: FilledRequest, text: string): void {
    const last = parameters[operation.pathParameters.at(-1)?.name ?? ''];
    if (operation.method === 'DELETE' && last !== undefined) this.#known.forget([last]);
    else this.#known.learn(operation, parameters, parsed(text));
  }

  #keyFor({ key, operation, choice }: Draft): string | undefined {
    const learnt = key === 'learnt' ? this.#known.choose('key', undefined, choice)?.value : undefined;
    return learnt ?? this.keys.choose(key, operation, choice);
  }

  /** A machine that is too busy for a statement of the database answers 503, and is asked again. */
  async #patiently(request: FilledRequest): Promise<Answered | { error: string }> {
    for (let tries = 1; ; tries += 1) {
      const answered = await this.#send(request);
      if ('error' in answered || answered.status !== 503 || tries === attempts) return answered;
      await sleep(tries * 1_000);
    }
  }

  async #send({ method, target, headers, body }: FilledRequest): Promise<Answered | { error: string }> {
    try {
      const answer = await this.#pool.request({ method, path: target, headers, body: body ?? null });
      return {
        status: answer.statusCode,
        contentType: String(answer.headers['content-type'] ?? ''),
        traceId: String(answer.headers['bt-trace-id'] ?? '') || null,
        text: await answer.body.text(),
      };
    } catch (error) {
      return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
    }
  }

  async #bytes(raw: RawBytes): Promise<void> {
    for (const { status, contentType, text } of await sendRaw(this.#service.port, raw)) {
      const fault =
        status >= 500
          ? `it answered ${status}`
          : status >= 400 && !/^HEAD /.test(raw.text)
            ? problemFault(status, contentType, parsed(text), this.#isProblem)
            : undefined;
      if (fault === undefined) continue;
      await this.faults.add('raw bytes', fault, async () =>
        [await rawCommandOf(this.#service.port, raw.text), JSON.stringify(raw.text.slice(0, 300)), text].join(
          '\n',
        ),
      );
    }
  }

  #curl(request: FilledRequest): Promise<string> {
    return curlOf(this.#service.url, request);
  }

  #count({ name }: Operation, status: number): void {
    const byStatus = this.answers.get(name) ?? new Map<number, number>();
    this.answers.set(name, byStatus);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
}
