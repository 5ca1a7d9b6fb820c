export const classifications = ['general', 'bank', 'pci', 'pii'] as const;
/** From the least to the most. */
export const impactLevels = ['low', 'moderate', 'high'] as const;
export const restrictionPolicies = ['mask', 'redact'] as const;

export type Place = {
  classification: (typeof classifications)[number];
  impact_level: (typeof impactLevels)[number];
};
export type Privacy = Place & { restriction_policy: (typeof restrictionPolicies)[number] };

const place = new RegExp(`^/(${classifications.join('|')})/(${impactLevels.join('|')})/`);

export const containerAt = ({ classification, impact_level }: Place): string =>
  `/${classification}/${impact_level}/`;

/** Of (normalised) containers the one of the highest impact, of equal ones the first. Undefined: none is of the usual places. */
export function placeOf(containers: readonly string[]): Place | undefined {
  const [highest] = containers
    .flatMap((container) => {
      const [, classification, impact] = place.exec(container) ?? [];
      return classification === undefined ? [] : [{ classification, impact_level: impact } as Place];
    })
    .toSorted((a, b) => impactLevels.indexOf(b.impact_level) - impactLevels.indexOf(a.impact_level));
  return highest;
}

/** What older client libraries read of a token where newer ones read its containers and its mask. */
export function privacyOf({
  containers,
  mask,
}: {
  containers: readonly string[];
  mask?: unknown;
}): Privacy | undefined {
  const found = placeOf(containers);
  if (found === undefined) return undefined;
  return { ...found, restriction_policy: mask === undefined || mask === null ? 'redact' : 'mask' };
}
