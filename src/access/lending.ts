import { implicitTransform, mayAnywhere, transformFor } from '#access/evaluate.ts';
import type { Rights, Target } from '#access/evaluate.ts';
import type { AccessRule } from '#access/accessRule.ts';
import type { SessionRule } from '#domain/session/events.ts';

/** By which a caller is shown data, or has it sent on. */
const showing = ['token:read', 'token:search', 'token:use'];
/** What an application may lend beyond what it holds, where its tenant allows that. */
const lendable = ['token:read', 'token:use'];

/** The setting of a tenant by which its applications may lend reveals of one token. Source: decision 62. */
export const lendingSetting = 'sessions_may_reveal';

/** Whether a rule is about one token at most. */
export const namesOneToken = ({ conditions = [] }: Pick<SessionRule, 'conditions'>): boolean =>
  conditions.some(({ attribute, operator }) => attribute === 'id' && operator === 'equals');

/** The id of the one token that a rule is about. */
export const tokenNamedBy = ({ conditions = [] }: Pick<SessionRule, 'conditions'>): string | undefined =>
  conditions.find(({ attribute, operator }) => attribute === 'id' && operator === 'equals')?.value;

/**
 * The permissions of a rule by which a session can never do, or be shown, what the rule says, because the application
 * that gives it does not hold that itself.
 * @param token that the rule is about, as it is now; undefined: there is none, or the rule is about several
 */
export const outOfReach = (own: Rights, rule: SessionRule, token: Target | undefined): string[] =>
  rule.permissions.filter((permission) => {
    if (!mayAnywhere(own, permission)) return true;
    if (rule.transform !== 'reveal' || !showing.includes(permission)) return false;
    return token === undefined
      ? !mayEverReveal(own, permission, rule)
      : transformFor(own, permission, token) !== 'reveal';
  });

/** Whether an application may lend these permissions of a rule all the same: it is about one token, which it may read. */
export const mayLend = (
  own: Rights,
  rule: SessionRule,
  permissions: readonly string[],
  token: Target | undefined,
): boolean =>
  namesOneToken(rule) &&
  permissions.every((permission) => lendable.includes(permission)) &&
  (token === undefined
    ? mayAnywhere(own, 'token:read')
    : transformFor(own, 'token:read', token) !== undefined);

/**
 * Whether there may be a token that a rule of a session covers and the application's own rights reveal. A token may lie
 * in several containers, so a rule for another one reveals, unless one that comes before it covers all such tokens.
 */
function mayEverReveal(own: Rights, permission: string, rule: SessionRule): boolean {
  const granting = own.rules.filter(({ permissions }) => permissions.includes(permission));
  const surely = containersOf(rule);
  const isHidden = (until: number, containers: readonly string[]): boolean =>
    granting.slice(0, until).some((before) => before.transform !== 'reveal' && coversAll(before, containers));
  const byRule = granting.some(
    ({ transform, container = '/' }, index) =>
      transform === 'reveal' && !isHidden(index, [...surely, container]),
  );
  const isPlain = own.permissions.includes(permission) && implicitTransform(permission) === 'reveal';
  return byRule || (isPlain && !isHidden(granting.length, surely));
}

/** What the name of some container of each token begins with that the rule covers. */
const containersOf = ({ container, conditions = [] }: SessionRule): string[] => [
  ...(container === undefined ? [] : [container]),
  ...conditions.filter(({ attribute }) => attribute === 'container').map(({ value }) => value),
];

const coversAll = ({ container = '/' }: AccessRule, containers: readonly string[]): boolean =>
  container === '/' || containers.some((one) => one.startsWith(container));
