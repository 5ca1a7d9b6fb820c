import type { FaultList } from '#commands/attributes.ts';
import type { ApplicationType } from '#domain/application/events.ts';

/** Pages whose origin differs in a letter would be refused, and nobody would see why: browsers write one alike each time. */
const right =
  "must be an origin as browsers send it, such as 'https://shop.example' or 'http://localhost:8080'";
/** Apps have schemes of their own. */
const form = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*,]+$/;

/** The origins that may use the keys of an application, without repetitions. */
export function checkOrigins(
  type: ApplicationType,
  given: readonly string[] | null | undefined,
  faults: FaultList,
): string[] {
  const origins = [...new Set(given ?? [])];
  if (origins.length > 0 && type !== 'public') {
    faults.add(
      'origins',
      'may only be given for a public application: other keys do not belong in a browser',
    );
  }
  origins.forEach((origin, index) => {
    if (!isOrigin(origin)) faults.add(`origins[${index}]`, right);
  });
  return origins;
}

function isOrigin(text: string): boolean {
  if (!form.test(text)) return false;
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}
