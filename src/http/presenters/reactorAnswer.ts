import type { Problem } from '#http/problemDetails.ts';
import type { Answer } from '#http/route.ts';
import { contentOf, isProblem, otherThanMediaType } from '#src/reactors/content.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';

/** What a reactor answered: errors as all errors of the service go out, the rest under the media type that it gave. */
export function presentReactorAnswer(answer: ReactorAnswer): Answer {
  const { status, headers } = answer;
  if (!isProblem(answer)) return { status, headers, content: contentOf(answer) };
  return { status, headers: otherThanMediaType(headers), problem: answer.body as Problem };
}
