import { signedKinds } from '#commands/rights/sign.ts';
import type { SignedKind } from '#commands/rights/sign.ts';
import type { Clock } from '#ports/clock.ts';
import type { EventLog, Position } from '#ports/eventLog.ts';

/** Something that decides access, and that is signed for that. */
export type SignedSubject = { kind: SignedKind; tenantId: string; stream: string; id: string };

/** Events that are read at once. */
const pageSize = 2_000;
/** No session lives longer, in milliseconds: one of before is not looked at. */
const longestSession = 25 * 60 * 60_000;

/** All that the log says is there and decides access; what goes meanwhile may be among it. */
export async function readSignedSubjects({
  log,
  clock,
}: {
  log: EventLog;
  clock: Clock;
}): Promise<SignedSubject[]> {
  const kindOf = new Map(signedKinds.map((kind) => [`${kind.name}.created`, kind]));
  const ends = new Set(signedKinds.flatMap((kind) => kind.ends));
  const subjects = new Map<string, SignedSubject>();
  const sessionsFrom = clock.now().getTime() - longestSession;
  let after: Position | null = null;
  for (;;) {
    const page: Awaited<ReturnType<EventLog['readAll']>> = await log.readAll(after, pageSize, [
      ...kindOf.keys(),
      ...ends,
    ]);
    for (const { type, stream, data, metadata } of page.events) {
      const kind = kindOf.get(type);
      const isOver = kind?.name === 'session' && Date.parse(metadata.occurred_at) < sessionsFrom;
      if (kind === undefined) subjects.delete(stream);
      else if (!isOver) {
        subjects.set(stream, { kind, tenantId: metadata.tenant_id, stream, id: String(data['id']) });
      }
    }
    if (page.atHead || page.scanned === null) return [...subjects.values()];
    after = page.scanned;
  }
}
