import pg from 'pg';
import { nameOf, roles } from '#infra/postgres/connection.ts';
import { StartupError } from '#src/startupError.ts';

/** How an administrator gets what the user of the database may not do. */
const remedy =
  'have an administrator of the server run what `npx holdfast database prepare --print` prints, or grant CREATEROLE';

/** Of PostgreSQL, as `server_version_num` counts: before, who made a role could enter it. */
const oldestVersion = 160_000;

type State = {
  version: string;
  versionNumber: number;
  isStandby: boolean;
  encoding: string;
  user: string;
  database: string;
  mayCreateSchemas: boolean;
  mayCreateTables: boolean;
  /** Of what Holdfast made before; null: nothing, or somebody whose rights the user has. */
  otherOwner: string | null;
  mayCreateRoles: boolean;
};

type RoleState = { name: string; exists: boolean; canEnter: boolean; canGrant: boolean };

/**
 * Makes sure that the database is one to work with, and makes the roles, or what of them is missing.
 * @throws StartupError that names what is missing, and what to do
 */
export async function prepareDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'holdfast schema' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const state = await stateOf(client);
    const complaint = complaintOf(state);
    if (complaint !== undefined) throw new StartupError(complaint);
    for (const role of await rolesOf(client)) await prepareRole(client, state, role);
  } finally {
    await client.end();
  }
}

function complaintOf(state: State): string | undefined {
  const { user, database, version, encoding, otherOwner } = state;
  if (state.versionNumber < oldestVersion) {
    return `the database is PostgreSQL ${version}: Holdfast needs PostgreSQL 16 or later`;
  }
  if (state.isStandby) {
    return `the server of the database ${database} is a standby, which nobody can write to: name the primary in DATABASE_URL`;
  }
  if (encoding !== 'UTF8') {
    return `the database ${database} is encoded in ${encoding}: make one with the encoding UTF8`;
  }
  if (otherOwner !== null) {
    return `the tables in the database ${database} belong to ${otherOwner}, not to ${user}: name that user in DATABASE_URL`;
  }
  if (!state.mayCreateSchemas) {
    return `the user ${user} may not make schemas in the database ${database}: grant create on database ${quoted(database)} to ${quoted(user)}`;
  }
  if (!state.mayCreateTables) {
    return `the user ${user} may not make tables in the schema public of ${database}: grant usage, create on schema public to ${quoted(user)}`;
  }
  return undefined;
}

/** Several databases of a server have the same roles, so another start may be making them. */
async function prepareRole(client: pg.Client, state: State, role: RoleState): Promise<void> {
  const { name, exists, canEnter, canGrant } = role;
  if (canEnter) return;
  const { user, mayCreateRoles } = state;
  if (!exists) {
    if (!mayCreateRoles) {
      throw new StartupError(
        `the role ${name} is missing, and the user ${user} may not create roles: ${remedy}`,
      );
    }
    await client.query(`create role ${name} nologin noinherit nobypassrls`).catch(unlessThere);
  } else if (!canGrant) {
    throw new StartupError(`the user ${user} may not enter the role ${name}: ${remedy}`);
  }
  // Since PostgreSQL 16 who makes a role may grant it, and not enter it.
  await client.query(`grant ${name} to current_user with set true`).catch((error: unknown) => {
    throw new StartupError(`the user ${user} may not enter the role ${name}: ${remedy}`, { cause: error });
  });
}

function unlessThere(error: unknown): void {
  // Made by another start: duplicate_object, unique_violation.
  if (error instanceof pg.DatabaseError && ['42710', '23505'].includes(error.code ?? '')) return;
  throw error;
}

async function stateOf(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      pg_is_in_recovery() as "isStandby", current_setting('server_encoding') as encoding,
      current_user as user, current_database() as database,
      has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
      has_schema_privilege('public', 'usage') and has_schema_privilege('public', 'create') as "mayCreateTables",
      (select nspowner::regrole::text from pg_namespace
       where nspname = 'vault' and not pg_has_role(nspowner, 'usage')) as "otherOwner",
      (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as "mayCreateRoles"`);
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not say what it is');
  return row;
}

/** `set` is what PostgreSQL 16 asks of those who enter a role; before, its name is not known. */
async function rolesOf(client: pg.Client): Promise<RoleState[]> {
  const { rows } = await client.query<RoleState>(
    `select name, oid is not null as exists,
       oid is not null and pg_has_role(oid, 'set') as "canEnter",
       oid is not null and pg_has_role(oid, 'member with admin option') as "canGrant"
     from unnest($1::text[]) with ordinality as wanted (name, n)
     left join pg_roles on rolname = name order by n`,
    [roles.map(nameOf)],
  );
  return rows;
}

const quoted = (name: string): string => pg.escapeIdentifier(name);
const literal = (text: string): string => pg.escapeLiteral(text);

/** What an administrator runs where the user of the database may not create roles; it may be run again. */
export function preparationScript(user: string, database: string): string {
  const names = roles.map(nameOf);
  return `-- Roles of Holdfast in the database ${database}, for ${user}. Run it as an administrator of the server:
--   npx holdfast database prepare --print | psql 'postgres://administrator@host/${database}'
do $$
declare
  wanted text;
begin
  foreach wanted in array array[${names.map(literal).join(', ')}] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin noinherit nobypassrls', wanted);
    end if;
  end loop;
end $$;
grant ${names.join(', ')} to ${quoted(user)} with set true;
grant connect, create on database ${quoted(database)} to ${quoted(user)};
grant usage, create on schema public to ${quoted(user)};

-- Users for ${roles.map((role) => `DATABASE_URL_${role.toUpperCase()}`).join(', ')}, who cannot leave their role: choose passwords.
${roles
  .map(
    (role) =>
      `-- create role ${nameOf(role)}_login login password '…'; grant ${nameOf(role)} to ${nameOf(role)}_login with inherit true;`,
  )
  .join('\n')}
`;
}
