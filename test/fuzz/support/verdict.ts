import type { OpenApiDocument, Operation } from '#test/fuzz/support/document.ts';
import { Compile } from 'typebox/schema';

export type Answered = { status: number; contentType: string; traceId: string | null; text: string };

/** What the server itself may answer to any request, before a route is known. */
const ofTransport = new Set([408, 431]);

/** How an answer breaks what the document says; undefined when it does not. */
export type Judge = (operation: Operation, answered: Answered) => string | undefined;

export function judgeBy(document: OpenApiDocument): Judge {
  const problemSchema = document.components.schemas['Problem'];
  if (problemSchema === undefined) throw new Error('the document does not say what a problem is');
  const isProblem = Compile(problemSchema as object);
  const bodies = new Map<string, ReturnType<typeof Compile>>();
  const faultOfBody = ({ name, answers }: Operation, answered: Answered): string | undefined => {
    const { status, text, contentType } = answered;
    const documented = answers.get(status);
    if (documented === undefined) return text === '' ? undefined : 'it has a body that is not documented';
    const { type, schema } = documented;
    if (!contentType.startsWith(type)) return `its Content-Type is '${contentType}'`;
    if (type !== 'application/json') return undefined;
    const key = `${name} ${status}`;
    const validator = bodies.get(key) ?? Compile({ ...schema, components: document.components } as object);
    bodies.set(key, validator);
    const value = parsed(text);
    if (validator.Check(value)) return undefined;
    const [, errors] = validator.Errors(value);
    return `its body is not as documented: ${errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`;
  };
  return (operation, answered) => {
    const { status, contentType, text, traceId } = answered;
    const isOfTransport = ofTransport.has(status);
    if (traceId === null && !isOfTransport) return 'it has no BT-TRACE-ID';
    if (operation.answersFreely && !isOwnFailure(status, text)) return undefined;
    if (status >= 500) return 'it failed';
    if (!operation.answers.has(status) && !ofTransport.has(status)) {
      return `the status ${status} is not documented`;
    }
    if (status < 400) return faultOfBody(operation, answered);
    return problemFault(status, contentType, parsed(text), (value) => isProblem.Check(value));
  };
}

/** What is wrong with the body of an error. */
export function problemFault(
  status: number,
  contentType: string,
  body: unknown,
  isProblem: (body: unknown) => boolean,
): string | undefined {
  if (!contentType.startsWith('application/json')) return `its Content-Type is '${contentType}'`;
  if (!isProblem(body)) return 'its body is not a problem';
  return (body as { status: number }).status === status ? undefined : 'its body has another status';
}

/** Where code of tenants answers: the failure is the service's own when it says so. */
const isOwnFailure = (status: number, text: string): boolean =>
  status >= 500 && /An unexpected error occurred; the BT-TRACE-ID|Something the service stands on/.test(text);

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
