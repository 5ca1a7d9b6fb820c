import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

export type NameServer = {
  /** `address:port`. */
  at: string;
  /** `A name` or `AAAA name`, in their order; the final dot is not on the wire. */
  asked: string[];
  close(): Promise<void>;
};

const types: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** A name server that knows some names, and is silent on `silent.example`. Source: RFC 1035 §4. */
export async function startNameServer(names: Record<string, readonly string[]>): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query, 12);
    const type = types[query.readUInt16BE(end)] ?? 'A';
    asked.push(`${type} ${name}`);
    if (name === 'silent.example') return;
    const records = (names[name] ?? [])
      .filter((each) => each.includes(':') === (type === 'AAAA'))
      .map((each) => recordOf(type, ipaddr.parse(each).toByteArray()));
    const header = Buffer.from(query.subarray(0, 12));
    // An answer, recursion available; 3: there is no such name.
    header.writeUInt16BE(0x8180 | (name in names ? 0 : 3), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    at: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Its name points at the question's, at offset 12; class IN, a minute to live. */
function recordOf(type: 'A' | 'AAAA', data: readonly number[]): Buffer {
  return Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
}
