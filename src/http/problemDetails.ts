import type { TSchema } from 'typebox';
import type { Faults } from '#src/errors.ts';

/** RFC 9457 problem details. `errors` holds messages by the path of what is wrong. spec: Errors */
export type Problem = { title: string; status: number; detail: string; errors?: Faults };

/** JSON that problems are put into, where they do not go out as they are. */
export type ProblemForm = { present(problem: Problem): object; schema: TSchema };
