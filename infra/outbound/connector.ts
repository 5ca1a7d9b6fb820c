import { checkServerIdentity } from 'node:tls';
import { buildConnector } from 'undici';
import { trusted } from '#infra/outbound/identity.ts';
import type { Identity } from '#infra/outbound/identity.ts';
import { parseAddress } from '#src/addresses.ts';

/** A connection could not be made: nothing of the request was sent. */
export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed';
}

export type ConnectorSettings = {
  /** For TCP and TLS together. */
  connectMilliseconds: number;
  /** Certificates in PEM beside those that Node trusts: for tests. */
  certificateAuthorities: readonly string[];
  /** Where a checked address is really connected to: for tests, which have no public addresses. */
  reach: (address: string) => string;
};

/**
 * Connects to one checked address, whatever the name in the URL: nothing is left to resolve. The name still decides
 * what the certificate must say.
 * @param host a name, or an address without brackets
 * @throws OutboundRefused for an identity that is none
 */
export function pinnedConnector(
  { host, address, identity }: { host: string; address: string; identity?: Identity | undefined },
  { connectMilliseconds, certificateAuthorities, reach }: ConnectorSettings,
): buildConnector.connector {
  const ca = trusted(certificateAuthorities);
  const connect = buildConnector({
    timeout: connectMilliseconds,
    allowH2: false,
    // Said, because NODE_TLS_REJECT_UNAUTHORIZED would change what is not said.
    rejectUnauthorized: true,
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ...(identity === undefined ? ca && { ca } : { secureContext: identity.context() }),
  });
  const hostname = reach(address);
  const servername = parseAddress(host) === undefined ? host : undefined;
  return ({ protocol, port }, callback) => {
    connect({ protocol, port, hostname, servername }, (error, socket) => {
      if (error !== null) {
        callback(new ConnectFailed('no connection', { cause: error }), null);
      } else if (!isAt(socket.remoteAddress, hostname)) {
        socket.destroy();
        callback(new ConnectFailed('connected to an address that was not checked'), null);
      } else {
        callback(null, socket);
      }
    });
  };
}

function isAt(remote: string | undefined, expected: string): boolean {
  const one = remote === undefined ? undefined : parseAddress(remote);
  return one !== undefined && one.toString() === parseAddress(expected)?.toString();
}
