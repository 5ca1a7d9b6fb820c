const place = /^\/(general|bank|pci|pii)\/(low|moderate|high)\//;
const impacts = ['low', 'moderate', 'high'];

export type Privacy = { classification: string; impact_level: string; restriction_policy: 'mask' | 'redact' };

/**
 * What older client libraries read of a token where newer ones read its containers: the one of the highest impact, of
 * equal ones the first. Undefined: none of them is of the usual places.
 */
export function privacyOf({
  containers,
  mask,
}: {
  containers: readonly string[];
  mask?: unknown;
}): Privacy | undefined {
  const [found] = containers
    .flatMap((container) => {
      const [, classification = '', impact = ''] = place.exec(container) ?? [];
      return classification === '' ? [] : [{ classification, impact }];
    })
    .toSorted((a, b) => impacts.indexOf(b.impact) - impacts.indexOf(a.impact));
  if (found === undefined) return undefined;
  return {
    classification: found.classification,
    impact_level: found.impact,
    restriction_policy: mask === undefined || mask === null ? 'redact' : 'mask',
  };
}
