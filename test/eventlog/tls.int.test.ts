import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import { LogRefused } from '#ports/eventLog.ts';
import { creation, rejection } from '#test/eventlog/helpers.ts';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';

const test = suite('event log on EventStoreDB: TLS');
const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
const authority = makeCertificate({ hosts: [], authority: true });
const caFile = join(directory, 'ca.pem');
const otherFile = join(directory, 'other.pem');
writeFileSync(caFile, authority.certificate);
writeFileSync(otherFile, makeCertificate({ hosts: [], authority: true }).certificate);
const password = 'p%@/:?#&=+$!';

test.after(() => {
  rmSync(directory, { recursive: true });
});

async function withLog(
  host: string,
  options: string,
  check: (log: ReturnType<typeof createEventStoreDbEventLog>) => Promise<void>,
): Promise<void> {
  const own = makeCertificate({ hosts: [host], issuer: authority });
  const server = await EventStoreDbServer.start(0, '24.10.4', own);
  const user = `holdfast:${encodeURIComponent(password)}`;
  const connectionString = `esdb://${user}@localhost:${server.port}${options}`;
  const log = createEventStoreDbEventLog({ connectionString, streamPrefix: '' });
  try {
    await check(log);
  } finally {
    await log.close();
    server.stop();
  }
}

test('given the file of its CA, then a server is trusted, with any sign in the password', async () => {
  await withLog('localhost', `?tlsCAFile=${caFile}`, async (log) => {
    const { stream, events } = creation();
    await log.append(stream, 'none', events);
    assert.is((await log.readStream(stream)).length, 1);
  });
});

test('given no CA, another, or a certificate for another host, then that is said, without the password', async () => {
  const wrong: [string, string][] = [
    ['localhost', ''],
    ['localhost', `?tlsCAFile=${otherFile}`],
    ['elsewhere.example', `?tlsCAFile=${caFile}`],
  ];
  for (const [host, options] of wrong) {
    await withLog(host, options, async (log) => {
      const { stream, events } = creation();
      const failures = [
        await rejection(log.head(), LogRefused),
        await rejection(log.append(stream, 'none', events), LogRefused),
      ];
      for (const { message } of failures) {
        assert.match(message, 'is not trusted');
        assert.match(message, 'tlsCAFile');
        assert.not.match(message, password);
        assert.not.match(message, '\n');
      }
    });
  }
});

test.run();
