import * as assert from 'uvu/assert';
import { NotStarted, request, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

type Environment = Record<string, string>;

/** What a start that must be refused says: one sentence, and lines of the log. */
export async function refusal(directory: string, environment: Environment): Promise<string> {
  const error: unknown = await startService(directory, environment).then(
    async (service) => {
      await service.end();
      throw new Error('it started');
    },
    (failure: unknown) => failure,
  );
  if (!(error instanceof NotStarted)) throw error;
  assert.is(error.code, 1);
  const lines = error.said.trim().split('\n');
  const sentences = lines.filter((line) => line.startsWith('holdfast: '));
  assert.is(sentences.length, 1, error.said);
  assert.ok(
    lines.every((line) => line.startsWith('{') || line.startsWith('holdfast: ')),
    error.said,
  );
  return sentences[0] ?? '';
}

/** Serves, and still does after what happens meanwhile. Answers all that it said. */
export async function works(
  directory: string,
  environment: Environment,
  meanwhile?: () => Promise<void>,
): Promise<string> {
  const service = await startService(directory, environment);
  try {
    const { private: key } = service.credentials;
    const body = { type: 'token', data: 'secret' };
    const made = await request<{ id: string }>(service, 'POST', '/tokens', { key, body });
    assert.is(made.status, 201);
    await meanwhile?.();
    await until(async () => (await fetch(`${service.url}/readyz`).catch(() => undefined))?.status === 200);
    await until(
      async () => (await request(service, 'GET', `/tokens/${made.body.id}`, { key })).status === 200,
    );
    return service.said();
  } finally {
    await service.end();
  }
}
