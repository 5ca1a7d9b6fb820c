import type { Answer } from '#http/route.ts';
import { contentOf } from '#src/reactors/content.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';

/** What a reactor answered, under the media type that it gave. */
export function presentReactorAnswer(answer: ReactorAnswer): Answer {
  const { status, headers } = answer;
  return { status, headers, content: contentOf(answer) };
}
