import { connect } from 'node:net';
import type { VaultService } from '#test/support/vaultService.ts';

/** Sends what may be no HTTP, and answers all that came back until the service closed the connection. */
export const rawRequest = ({ url }: VaultService, lines: readonly string[], rest = ''): Promise<string> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${rest}`);
    });
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(text);
      });
  });
