import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { RequestListener } from 'node:http';
import * as assert from 'uvu/assert';
import { create } from '#test/reactors/support/reactors.ts';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import { serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

const authority = makeCertificate({ hosts: [], authority: true });
const served = makeCertificate({ hosts: ['localhost'], issuer: authority });

/** What stands in for a provider; it is at `https://localhost:<port>`, and trusted by this process until it ends. */
export async function startProvider(handle: RequestListener): Promise<TestServer> {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([authority.certificate]);
  const server = await serveTls(handle, served);
  return {
    ...server,
    close: async () => {
      setDefaultCACertificates(trusted);
      await server.close();
    },
  };
}

export type Reaction = {
  raw?: unknown;
  tokens?: unknown;
  detail?: string;
  errors?: Record<string, string[]>;
};

/** Makes a reactor of code and configuration, and invokes it. */
export async function react(
  service: VaultService,
  code: string,
  { args, ...attributes }: { args?: unknown; configuration?: object; application?: { id: string } },
): Promise<Reply<Reaction>> {
  const { id } = await create(service, { code, configuration: {}, ...attributes });
  return service.call<Reaction>('POST', `/reactors/${id}/react`, { args });
}

/** The id of a new token. */
export async function tokenOf(service: VaultService, token: object): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', token);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}
