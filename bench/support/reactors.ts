import type { BenchService } from '#bench/support/service.ts';

/** As the target says: some 330 bytes in and out. */
export const echo = 'module.exports = async (req) => ({ raw: req.args });';
export const echoBody = JSON.stringify({ args: { text: 'x'.repeat(300), number: 1 } });

/** Creates a reactor, and answers the path to invoke it. */
export async function createReactor(
  { url, managementKey }: Pick<BenchService, 'url' | 'managementKey'>,
  code: string,
): Promise<string> {
  const { id } = await post<{ id: string }>(url, managementKey, '/reactors', {
    name: 'bench',
    code,
    configuration: {},
  });
  return `/reactors/${id}/react`;
}

export async function post<Answer>(url: string, key: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'BT-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
