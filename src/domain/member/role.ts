/** What whoever is invited without a role becomes. Source: reference of members. */
export const defaultRole = 'ADMIN';

/** The one role that the domain knows something about. Source: reference of members. */
export const ownerRole = 'OWNER';

const form = /^[A-Z][A-Z_]{0,49}$/;

/**
 * Why a text is not a role, or undefined when it is one. Client libraries take any text and no source lists them
 * all, so what is known of their form is held to: a record says what somebody is called, and grants nothing here.
 */
export const roleFault = (role: string): string | undefined =>
  form.test(role)
    ? undefined
    : `must be up to 50 capital letters and underscores, such as '${defaultRole}' or '${ownerRole}'`;
