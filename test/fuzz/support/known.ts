import type { Operation } from '#test/fuzz/support/document.ts';

/** Something that the service made, and the parameters of the path under which it told of it. */
export type Known = { value: string; parameters: Readonly<Record<string, string>> };

/** Newer ones push the oldest out: what was made long ago is mostly deleted. */
const mostKept = 200;
const deepest = 4;

/**
 * Ids and keys in the answers so far, by what they are of, so that requests reach what exists. Their kind is told
 * by the paths of the document (`/tokens/{id}` takes what `/tokens` answers) and by the names of members.
 */
export class KnownThings {
  readonly #byKind = new Map<string, Known[]>();
  readonly #nouns: Set<string>;
  readonly #protected: ReadonlySet<string>;

  /** @param protectedValues what the run itself stands on: never handed out */
  constructor(operations: readonly Operation[], protectedValues: Iterable<string> = []) {
    this.#nouns = new Set(operations.flatMap(({ path }) => nounsBeforeParameters(path)));
    this.#protected = new Set(protectedValues);
  }

  /** Remembers the ids and keys of an answer. */
  learn(
    { path }: Pick<Operation, 'path'>,
    parameters: Readonly<Record<string, string>>,
    body: unknown,
  ): void {
    const noun = segmentsOf(path).findLast((segment) => this.#nouns.has(segment));
    this.#walk(body, noun, parameters, 0);
  }

  /** What is gone. */
  forget(values: Iterable<string>): void {
    const gone = new Set(values);
    for (const [kind, things] of this.#byKind) {
      this.#byKind.set(
        kind,
        things.filter(({ value }) => !gone.has(value)),
      );
    }
  }

  /**
   * One of those that fit a parameter or member, chosen by a number; undefined when there is none.
   * @param name of the parameter, or of the member of a body: `id`, `connection_id`, `token`
   * @param path in which a parameter stands
   */
  choose(name: string, path: string | undefined, choice: number): Known | undefined {
    const kinds = this.#kindsFor(name, path);
    for (const kind of kinds) {
      const things = this.#byKind.get(kind);
      if (things !== undefined && things.length > 0) return things[choice % things.length];
    }
    return undefined;
  }

  #kindsFor(name: string, path: string | undefined): string[] {
    const normalized = normalize(name);
    const ofPath = path === undefined ? undefined : nounBefore(path, name);
    // `connection_id` is one of the connections, before it is what answers call so.
    const ofNoun = [...this.#nouns].filter((noun) => normalized.includes(singular(noun)));
    const byName = [...this.#byKind.keys()].filter(
      (kind) => normalized !== 'id' && kind.endsWith(normalized),
    );
    return [...(ofPath === undefined ? [] : [ofPath]), ...ofNoun, ...byName, 'any'];
  }

  #walk(
    value: unknown,
    noun: string | undefined,
    parameters: Readonly<Record<string, string>>,
    depth: number,
  ): void {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object') this.#walk(member, noun, parameters, depth + 1);
      if (typeof member !== 'string' || !isReference(name, member)) continue;
      const known = { value: member, parameters };
      this.#keep(normalize(name) === 'id' && noun !== undefined ? noun : normalize(name), known);
      this.#keep('any', known);
    }
  }

  #keep(kind: string, known: Known): void {
    if (this.#protected.has(known.value)) return;
    const things = this.#byKind.get(kind) ?? [];
    this.#byKind.set(kind, things);
    things.push(known);
    if (things.length > mostKept) things.shift();
  }
}

const isReference = (name: string, value: string): boolean =>
  /(^|_|[a-z])(id|Id|key|nonce|code)$/.test(name) && value !== '' && value.length <= 400;

const normalize = (name: string): string => name.replaceAll('_', '').toLowerCase();
const singular = (noun: string): string => normalize(noun).replace(/s$/, '');
const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function nounBefore(path: string, parameter: string): string | undefined {
  const segments = segmentsOf(path);
  return segments[segments.indexOf(`{${parameter}}`) - 1];
}

const nounsBeforeParameters = (path: string): string[] =>
  segmentsOf(path).filter((_, index, segments) => segments[index + 1]?.startsWith('{') === true);
