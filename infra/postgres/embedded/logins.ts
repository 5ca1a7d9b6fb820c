import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { database, user } from '#infra/postgres/embedded/cluster.ts';
import { nameOf, roles } from '#infra/postgres/connection.ts';
import type { Connection } from '#infra/postgres/connection.ts';

/** Owns the database and everything in it, and is no superuser. */
export const owner = 'holdfast_owner';

/** Who may log in to the embedded PostgreSQL. The passwords are random, and known to this process alone. */
export type Logins = {
  /** The superuser, who makes roles and nothing else. */
  administrator: pg.ClientConfig;
  connection: Connection;
};

/** Logins with new passwords, through the socket in this directory. */
export function newLogins(socketDirectory: string): Logins {
  const loginOf = (name: string): pg.ClientConfig => ({
    host: socketDirectory,
    port: 5432,
    user: name,
    password: randomBytes(32).toString('base64url'),
    database,
    ssl: false,
  });
  return {
    administrator: loginOf(user),
    connection: {
      ...loginOf(owner),
      logins: Object.fromEntries(roles.map((role) => [role, loginOf(nameOf(role))])),
    },
  };
}

/**
 * Makes the roles, gives each its password, and gives to the owner what an earlier version made as the superuser. The
 * server has asked for no password so far.
 */
export async function introduceLogins({ administrator, connection }: Logins): Promise<void> {
  const client = new pg.Client(administrator);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const users = [connection, ...Object.values(connection.logins ?? {})];
    await client.query(
      [
        'begin',
        ...users.map(({ user: name = '' }) => missingRole(name)),
        ...users.map(
          ({ user: name = '', password }) =>
            `alter role ${name} login nosuperuser nobypassrls nocreaterole nocreatedb noreplication
               password '${verifierOf(password as string)}'`,
        ),
        `grant ${roles.map(nameOf).join(', ')} to ${owner} with inherit true, set true`,
        `grant pg_checkpoint to ${owner}`,
        takeOver,
        `alter role ${user} password '${verifierOf(administrator.password as string)}'`,
        'commit',
      ].join(';\n'),
    );
  } finally {
    await client.end();
  }
}

const missingRole = (name: string): string => `do $$ begin
  if not exists (select from pg_roles where rolname = '${name}') then create role ${name} noinherit; end if;
end $$`;

/** Sequences of a column, and types of a table's rows, belong to whom the table belongs. */
const takeOver = `do $$
  declare
    former oid := '${user}'::regrole;
    change text;
  begin
    if (select datdba from pg_database where datname = current_database()) <> former then return; end if;
    for change in
      select format('schema %I', nspname) from pg_namespace
        where nspowner = former and oid >= 16384
      union all
      select format('%s %s', case relkind when 'v' then 'view' when 'm' then 'materialized view'
                                          when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
                    oid::regclass) from pg_class c
        where relowner = former and oid >= 16384 and relkind in ('r', 'p', 'v', 'm', 'S', 'c')
          and not (relkind = 'S' and exists (select from pg_depend d where d.classid = 'pg_class'::regclass
                                               and d.objid = c.oid and d.deptype in ('a', 'i')))
      union all
      select format('routine %s', oid::regprocedure) from pg_proc where proowner = former and oid >= 16384
      union all
      select format('%s %s', case typtype when 'd' then 'domain' else 'type' end, oid::regtype) from pg_type
        where typowner = former and oid >= 16384 and typtype in ('d', 'e', 'r')
    loop
      execute format('alter %s owner to ${owner}', change);
    end loop;
    execute format('alter database %I owner to ${owner}', current_database());
  end $$`;

/**
 * What the server keeps of a password (RFC 5803). One iteration: the password is 32 random bytes, which nobody guesses,
 * and each connection would pay for more.
 */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
