import type { VaultService } from '#test/support/vaultService.ts';

const tokenPermissions = ['create', 'read', 'update', 'delete', 'search', 'use'].map(
  (verb) => `token:${verb}`,
);
const code = 'module.exports = async (req) => ({ raw: { last4: req.args.card.number.slice(-4) } });';

/** What the recordings name of a fresh tenant: keys of applications, a reactor, and a time. */
export async function namedOf(
  { call }: VaultService,
  management: string,
): Promise<Readonly<Record<string, string>>> {
  const make = async (path: string, body: object): Promise<{ id: string; key: string }> => {
    const reply = await call<{ id: string; key: string }>('POST', path, body, { key: management });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  const application = async (type: string, rights: object): Promise<string> =>
    (await make('/applications', { name: 'recorded', type, ...rights })).key;
  const permissions = await call<{ type: string }[]>('GET', '/permissions?application_type=private');
  const others = permissions.body.map(({ type }) => type).filter((type) => !tokenPermissions.includes(type));
  const everywhere = { priority: 1, container: '/', transform: 'reveal', permissions: tokenPermissions };
  return {
    management,
    private: await application('private', { permissions: others, rules: [everywhere] }),
    masked: await application('private', { permissions: tokenPermissions }),
    public: await application('public', { permissions: ['token:create', 'token:update'] }),
    create_only: await application('private', { permissions: ['token:create'] }),
    card_reactor: (await make('/reactors', { name: 'recorded', code })).id,
    in_half_an_hour: new Date(Date.now() + 1_800_000).toISOString(),
  };
}
