import pg from 'pg';

/** Roles that own nothing and are bound by row-level security: each is named `holdfast_<role>` in the database. */
export const roles = ['api', 'vault', 'log'] as const;
export type Role = (typeof roles)[number];

/** Users that hold the rights of one role each, and of no other. */
export type Logins = Readonly<Partial<Record<Role, pg.ClientConfig>>>;

/** How the owner of the tables logs in, and how the roles do. A role without a login is entered by the owner. */
export type Connection = pg.ClientConfig & { logins?: Logins };

export const nameOf = (role: Role): string => `holdfast_${role}`;

/** How connections of a role come about: as whom they log in, and what they do first. */
export type RoleConnection = {
  config: pg.ClientConfig;
  /** Fails when the role cannot be entered; nothing else is asked of the connection then. */
  enter(client: pg.ClientBase): Promise<void>;
};

/**
 * The role is entered by a statement, not by a parameter of the connection: poolers ignore parameters, and then the
 * owner would answer.
 */
export function asRole(connection: Connection, role: Role): RoleConnection {
  const { logins, ...owner } = connection;
  const login = logins?.[role];
  if (login !== undefined) return { config: login, enter: () => Promise.resolve() };
  return {
    config: owner,
    enter: async (client) => {
      await client.query(`set role ${pg.escapeIdentifier(nameOf(role))}`);
    },
  };
}
