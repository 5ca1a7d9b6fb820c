import { maskLeafFaults } from '#expressions/index.ts';
import type { Answer } from '#http/route.ts';
import type { Json, JsonObject } from '#ports/json.ts';

/** A request for a token, and where it stands in the body; '' is the body itself. */
type Given = { path: string; request: JsonObject };

const mostWarnings = 10;
const longestWarning = 300;

/**
 * An answer with a header that tells what of the masks that were given can never show anything. Such masks are stored
 * as they are, since the vendor does so, and nobody would learn why nothing is shown.
 */
export function warnOfMasks(answer: Answer, given: readonly Given[]): Answer {
  const warnings = given.flatMap(({ path, request }) => warningsOf(path, request['mask'] ?? null));
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, 'Holdfast-Warnings': headerOf(warnings) } };
}

const warningsOf = (at: string, mask: Json): string[] =>
  maskLeafFaults(mask).map(({ path, reason }) => {
    const within = path === '' || path.startsWith('[') ? path : `.${path}`;
    return `${at === '' ? '' : `${at}.`}mask${within}: ${reason}`.slice(0, longestWarning);
  });

/** A list in JSON, in ASCII alone: that is what headers hold. */
function headerOf(warnings: readonly string[]): string {
  const left = warnings.length - mostWarnings;
  const told = [...warnings.slice(0, mostWarnings), ...(left > 0 ? [`${left} more`] : [])];
  return JSON.stringify(told).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
