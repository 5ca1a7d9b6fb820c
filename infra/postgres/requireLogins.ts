import pg from 'pg';
import { nameOf, roles } from '#infra/postgres/connection.ts';
import type { Connection, Role } from '#infra/postgres/connection.ts';
import { StartupError } from '#src/startupError.ts';

type Rights = {
  user: string;
  /** Row-level security does not bind it. */
  unbound: boolean;
  /** The roles of Holdfast that it is in, and those whose rights it has without entering them. */
  member: string[];
  held: string[];
  /** It can become the owner of the tables, or has the owner's rights. */
  owns: boolean;
};

/**
 * Makes sure that each login of a role has the rights of that role, and of no other. The roles are there already.
 * @throws StartupError
 */
export async function requireLogins(connection: Connection): Promise<void> {
  const { logins } = connection;
  for (const role of roles) {
    const login = logins?.[role];
    // The embedded PostgreSQL's are made by us.
    if (login?.connectionString !== undefined) await requireLogin(role, login);
  }
}

async function requireLogin(role: Role, login: pg.ClientConfig): Promise<void> {
  const setting = `DATABASE_URL_${role.toUpperCase()}`;
  const rights = await rightsOf(login).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the database cannot be reached by ${setting}: ${reason}`, { cause: error });
  });
  const { user, unbound, member, held, owns } = rights;
  const refuse = (what: string): never => {
    throw new StartupError(`the user ${user} of ${setting} ${what}`);
  };
  if (unbound) refuse('is not bound by row-level security: take SUPERUSER and BYPASSRLS from it');
  if (owns) refuse('can become the owner of the tables: use a user who owns nothing');
  const other = member.find((name) => name !== nameOf(role));
  if (other !== undefined) refuse(`is also in ${other}: revoke ${other} from ${user}`);
  if (!held.includes(nameOf(role))) {
    refuse(`lacks the rights of ${nameOf(role)}: grant ${nameOf(role)} to ${user} with inherit true`);
  }
}

async function rightsOf(login: pg.ClientConfig): Promise<Rights> {
  const client = new pg.Client({ ...login, application_name: 'holdfast schema' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Rights>(
      `select session_user as user, rolsuper or rolbypassrls as unbound,
         array(select name from unnest($1::text[]) name where pg_has_role(session_user, name, 'member')) as member,
         array(select name from unnest($1::text[]) name where pg_has_role(session_user, name, 'usage')) as held,
         coalesce((select pg_has_role(session_user, nspowner, 'member') from pg_namespace
                   where nspname = 'vault'), false) as owns
       from pg_roles where rolname = session_user`,
      [roles.map(nameOf)],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('it does not say who was let in');
    return row;
  } finally {
    await client.end();
  }
}
