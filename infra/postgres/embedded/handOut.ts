import { randomBytes } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '#infra/postgres/connection.ts';

/**
 * A command beside the service is told the passwords over a socket, once it has made a file in the data directory that
 * the service named: so passwords lie on no disk, and only those get them who may write beside the root key.
 */

/** In milliseconds. */
const patience = 10_000;
const socketIn = (socketDirectory: string): string => join(socketDirectory, 'commands.sock');
const proofIn = (dataDirectory: string, name: string): string => join(dataDirectory, `proof-${name}`);
const nameForm = /^[0-9a-f]{32}$/;

export type HandOut = { close(): Promise<void> };

/** Tells commands how to connect, until it is closed. */
export async function handOutConnection(
  socketDirectory: string,
  dataDirectory: string,
  connection: Connection,
): Promise<HandOut> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.setTimeout(patience, () => socket.destroy());
    const name = randomBytes(16).toString('hex');
    socket.write(`${name}\n`);
    socket.once('data', () => {
      const proof = proofIn(dataDirectory, name);
      stat(proof).then(
        () => socket.end(`${JSON.stringify(connection)}\n`),
        () => socket.end(),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketIn(socketDirectory), resolve);
  });
  server.unref();
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Asks the service whose server has this socket directory. Undefined when it does not tell, or not yet. */
export async function askForConnection(
  socketDirectory: string,
  dataDirectory: string,
): Promise<Connection | undefined> {
  const socket = connect(socketIn(socketDirectory));
  socket.setTimeout(patience, () => socket.destroy());
  // Its end is what is waited for.
  socket.on('error', () => undefined);
  let proof: string | undefined;
  try {
    const name = await lineOf(socket);
    if (name === undefined || !nameForm.test(name)) return undefined;
    proof = proofIn(dataDirectory, name);
    await writeFile(proof, '', { flag: 'wx', mode: 0o600 });
    socket.write('\n');
    const told = await lineOf(socket);
    return told === undefined ? undefined : (JSON.parse(told) as Connection);
  } finally {
    socket.destroy();
    if (proof !== undefined) await rm(proof, { force: true });
  }
}

/** The next thing that the other end says, without its line break; undefined when it ends before. */
function lineOf(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const end = (line?: string): void => {
      socket.off('data', hear);
      resolve(line);
    };
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.endsWith('\n')) end(said.trimEnd());
    };
    socket.on('data', hear);
    socket.once('close', () => {
      end();
    });
  });
}
