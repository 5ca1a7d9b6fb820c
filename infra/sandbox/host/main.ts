import { Socket } from 'node:net';
import { createFrameReader, encodeFrame } from '#infra/sandbox/frames.ts';
import { createCalls } from '#infra/sandbox/host/calls.ts';
import { dropPrivileges } from '#infra/sandbox/host/identity.ts';
import { createIsolates } from '#infra/sandbox/host/isolates.ts';
import { readModules } from '#infra/sandbox/host/modules.ts';
import type { FromHost, ToHost } from '#infra/sandbox/messages.ts';
import type { HostSettings } from '#infra/sandbox/settings.ts';

/** The process that code of one tenant runs in. It has nothing that would be worth breaking out for. */

/** What the service sends is at most a large answer of a web server, as base64. */
const frameLimit = 16 * 1024 * 1024;

const settings = JSON.parse(process.argv[2] ?? '') as HostSettings;
const channel = new Socket({ fd: 3 });
const tell = (header: FromHost, payload?: string): void => {
  channel.write(encodeFrame(header, payload));
};
const end = (): void => {
  // Not `exit`, which waits for threads that may never come back.
  process.kill(process.pid, 'SIGKILL');
};

const isolates = createIsolates(settings, readModules(), end);
const calls = createCalls(isolates, tell);
const reader = createFrameReader<ToHost>(
  frameLimit,
  ({ header, payload }) => {
    calls.receive(header, payload);
  },
  end,
);
channel.on('error', end);
channel.on('close', end);
process.on('uncaughtException', end);
process.on('unhandledRejection', () => undefined);

dropPrivileges();
// Nothing is heard before.
channel.on('data', (chunk: Buffer) => {
  reader.read(chunk);
});
await isolates.prepare();
tell({ type: 'ready' });
