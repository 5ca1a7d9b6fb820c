import type { ReactorAnswer } from '#src/reactors/invocation.ts';

const problemType = 'application/problem+json';

/** Whether an answer tells of an error; one that the code composed itself is a result, whatever its status. */
export function isProblem({ headers }: ReactorAnswer): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return [type].flat()[0]?.toLowerCase().startsWith(problemType) === true;
}

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Authentication Failed',
  402: 'Invalid Payment Method',
  403: 'Forbidden',
  422: 'Invalid Reactor Formula',
  429: 'Rate Limit Exceeded',
  503: 'Service Unavailable',
};

/** What an event says of an error: never the words of the code, which may hold anything. */
export const phraseOf = (status: number): string => phrases[status] ?? 'Reactor Runtime Error';
