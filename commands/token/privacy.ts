import { FaultList } from '#commands/attributes.ts';
import { refuseMisspelt } from '#commands/token/unknownMembers.ts';
import { normalizeContainer } from '#domain/container.ts';
import { containerAt, placeOf } from '#domain/token/privacy.ts';
import type { Place, Privacy } from '#domain/token/privacy.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { Json } from '#ports/json.ts';
import { ValidationFailed } from '#src/errors.ts';

/** What older client libraries say of containers and mask. Absent members ask for nothing. */
export type WantedPrivacy = { [Name in keyof Privacy]?: Privacy[Name] | null } | null;

type Restricted = {
  privacy?: WantedPrivacy | undefined;
  containers?: readonly string[] | null | undefined;
  mask?: Json | undefined;
};

/**
 * The containers that a request asks for, by their name or by its privacy. What it says of both has to agree, since one
 * that is overlooked leaves a token where others see it.
 * @param before the containers that it has without; these are kept where the privacy says the same
 * @returns undefined: it asks for none
 */
export function containersUnder(
  { privacy, containers }: Restricted,
  before: readonly string[],
  path: string,
  faults: FaultList,
): readonly string[] | null | undefined {
  const names = (['classification', 'impact_level'] as const).filter((name) => privacy?.[name]);
  if (names.length === 0 || !privacy) return containers;
  const isGiven = containers !== undefined && containers !== null && containers.length > 0;
  const present = placeOf(isGiven ? containers.map(normalizeContainer) : before);
  const others = names.filter((name) => privacy[name] !== present?.[name]);
  if (others.length === 0) return containers;
  if (!isGiven && present !== undefined && before.length === 1 && before[0] === containerAt(present)) {
    return [containerAt({ ...present, ...valuesOf(privacy) })];
  }
  for (const name of others) {
    faults.add(`${path}.${name}`, present === undefined ? unusual : `must be ${present[name]}, ${agreeing}`);
  }
  return containers;
}

const unusual = 'must be absent, since the containers are none such as /pci/high/';
const agreeing = 'as the containers say, or absent: what is to be changed is said by `containers`';

function valuesOf({ classification, impact_level }: NonNullable<WantedPrivacy>): Partial<Place> {
  return {
    ...(classification ? { classification } : {}),
    ...(impact_level ? { impact_level } : {}),
  };
}

/**
 * Whether a request takes the mask away, so that who sees masks sees no data. Without a mask there is nothing that the
 * policy to mask could show.
 */
export function isRedacted({ privacy, mask }: Restricted, path: string, faults: FaultList): boolean {
  if (privacy?.restriction_policy !== 'redact') return false;
  if (mask !== undefined && mask !== null) {
    faults.add(`${path}.restriction_policy`, 'must be mask, or absent, where a mask is given');
  }
  return true;
}

/** A patch that says by its other members what it says by its privacy, and has none that is misspelt. @throws ValidationFailed */
export function patchUnderPrivacy<Patch extends Restricted>(token: LiveToken, patch: Patch): Patch {
  const faults = new FaultList();
  refuseMisspelt(patch, (attribute) => attribute, faults);
  const before = patch.containers === undefined ? token.containers : [tokenTypeOf(token).defaultContainer];
  const containers = containersUnder(patch, before, 'privacy', faults);
  const redacted = isRedacted(patch, 'privacy', faults) && token.mask !== undefined;
  if (faults.any) throw new ValidationFailed(faults.faults);
  return {
    ...patch,
    ...(containers === undefined ? {} : { containers }),
    ...(redacted ? { mask: null } : {}),
  };
}
