import { parse } from 'acorn';
import { namesPackage, whyNotRequired } from '#src/tenantCode/modules.ts';

type Node = { type: string } & Record<string, unknown>;

/** Cheap, and finds more than there are: also in comments and texts. */
const literal = /\b(?:require\s*(?:\?\.)?|import)\s*\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`$]*)`)\s*\)/g;

/**
 * Why code cannot require the packages that it names, one sentence a package. Only what the code plainly says counts:
 * `require('name')`. A name that is put together, or required by a function of the code's own or where a failure is
 * caught, shows itself when it runs; so do modules of Node, which programs that were put together from others (bundles)
 * name without ever needing them.
 */
export function missingPackages(code: string): string[] {
  const statement = moduleStatementOf(code);
  if (statement !== undefined) return [statement];
  const candidates = [...code.matchAll(literal)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  if (!candidates.some((name) => isMissing(name))) return [];
  const names = new Set(requestsOf(code).filter(isMissing));
  return [...names].sort().map((name) => whyNotRequired(name) ?? '');
}

const isMissing = (name: string): boolean => namesPackage(name) && whyNotRequired(name) !== undefined;

function parsed(code: string, sourceType: 'script' | 'module'): Node | undefined {
  try {
    return parse(code, {
      sourceType,
      ecmaVersion: 'latest',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: false,
    }) as unknown as Node;
  } catch {
    return undefined;
  }
}

/** What code requires, by reading it as the language is read. Nothing where it does not compile: that is told elsewhere. */
function requestsOf(code: string): string[] {
  const program = parsed(code, 'script');
  if (program === undefined) return [];
  const found: string[] = [];
  const left: Node[] = [program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    // Whatever it is called with is not this module's own `require`.
    if (declaresRequire(node)) continue;
    const request = requestOf(node);
    if (request !== undefined) found.push(request);
    const guarded = node.type === 'TryStatement' && node.handler ? node.block : undefined;
    left.push(...childrenOf(node).filter((child) => child !== guarded));
  }
  return found;
}

function requestOf({ type, callee, arguments: given, source }: Node): string | undefined {
  const isCall = type === 'CallExpression' && isNamed(callee, 'require') && Array.isArray(given);
  const first = isCall ? (given as Node[])[0] : type === 'ImportExpression' ? (source as Node) : undefined;
  if (first?.type === 'Literal' && typeof first.value === 'string') return first.value;
  if (first?.type !== 'TemplateLiteral') return undefined;
  const [text, ...more] = first.quasis as { value: { cooked?: string | null } }[];
  return more.length === 0 ? (text?.value.cooked ?? undefined) : undefined;
}

/** At the beginning of a line, or of a statement: cheap, and finds more than there are. */
const moduleWord = /(?:^|[;}])[^\S\n\r\u2028\u2029]*(?:import|export)\b/m;

/** Why code is refused that is an ECMAScript module, which nothing here runs; undefined: it is none. */
function moduleStatementOf(code: string): string | undefined {
  if (!moduleWord.test(code) || parsed(code, 'script') !== undefined) return undefined;
  const { body = [] } = (parsed(code, 'module') ?? {}) as { body?: Node[] };
  const found = body.find(({ type }) => /^(Import|Export)/.test(type));
  if (found === undefined) return undefined;
  const name = (found.source as { value?: unknown } | null | undefined)?.value;
  const missing = typeof name === 'string' && isMissing(name) ? ` ${whyNotRequired(name)}` : '';
  return found.type === 'ImportDeclaration'
    ? `import is not available, since code is a CommonJS module: write require('${String(name)}').${missing}`
    : `export is not available, since code is a CommonJS module: write module.exports = ….${missing}`;
}

const isNamed = (node: unknown, name: string): boolean =>
  isNode(node) && node.type === 'Identifier' && node.name === name;

/** A function that takes `require`, as the modules in a bundle do, or a body that declares one. */
function declaresRequire({ type, params, body }: Node): boolean {
  if (Array.isArray(params) && params.some((parameter) => isNamed(parameter, 'require'))) return true;
  const statements = type === 'Program' || type === 'BlockStatement' ? (body as Node[]) : [];
  return statements.some(
    (statement) =>
      (statement.type === 'FunctionDeclaration' && isNamed(statement.id, 'require')) ||
      (statement.type === 'VariableDeclaration' &&
        (statement.declarations as Node[]).some(({ id }) => isNamed(id, 'require'))),
  );
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
