import { isBuiltin } from 'node:module';
import { parse } from 'acorn';
import { namesPackage, whyNotRequired } from '#src/tenantCode/modules.ts';

type Node = { type: string } & Record<string, unknown>;

/** Cheap, and finds more than there are: also in comments and texts. */
const literal = /\b(?:require\s*(?:\?\.)?|import)\s*\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`$]*)`)\s*\)/g;

/**
 * Why code cannot require the modules that it names, one sentence a module. Only what the code plainly says counts:
 * `require('name')`. A name that is put together, or required by a function of the code's own or where a failure is
 * caught, shows itself when it runs. Modules of Node count where loading the code is certain to ask for them: programs
 * that were put together from others (bundles) name some without ever needing them.
 */
export function missingPackages(code: string): string[] {
  const statement = moduleStatementOf(code);
  if (statement !== undefined) return [statement];
  const candidates = [...code.matchAll(literal)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  if (!candidates.some((name) => isMissing(name) || isMissingOfNode(name))) return [];
  const missing = requestsOf(code)
    .filter(({ name, isCertain }) => isMissing(name) || (isCertain && isMissingOfNode(name)))
    .map(({ name }) => name);
  return [...new Set(missing)].sort().map((name) => whyNotRequired(name) ?? '');
}

const isMissing = (name: string): boolean => namesPackage(name) && whyNotRequired(name) !== undefined;

const isMissingOfNode = (name: string): boolean => isBuiltin(name) && whyNotRequired(name) !== undefined;

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

/** @param isCertain whether it is asked for whenever the code is loaded */
type Request = { name: string; isCertain: boolean };

/** What code requires, by reading it as the language is read. Nothing where it does not compile: that is told elsewhere. */
function requestsOf(code: string): Request[] {
  const program = parsed(code, 'script');
  if (program === undefined) return [];
  const found: Request[] = [];
  const left = [{ node: program, isCertain: !mayReturn(program) }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, isCertain } = next;
    // Whatever it is called with is not this module's own `require`.
    if (declaresRequire(node)) continue;
    const name = requestOf(node);
    if (name !== undefined) found.push({ name, isCertain: isCertain && node.type === 'CallExpression' });
    const guarded = node.type === 'TryStatement' && node.handler ? node.block : undefined;
    const certain = isCertain ? certainlyRun(node) : [];
    for (const child of childrenOf(node)) {
      if (child !== guarded) left.push({ node: child, isCertain: certain.includes(child) });
    }
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

/** By the type of a node, its members that run whenever it does; of types that are not named here, all. */
const certainMembers: Readonly<Record<string, readonly string[]>> = {
  ArrowFunctionExpression: [],
  AssignmentPattern: ['left'],
  ChainExpression: [],
  ClassBody: [],
  ConditionalExpression: ['test'],
  DoWhileStatement: [],
  ForInStatement: ['right'],
  ForOfStatement: ['right'],
  ForStatement: ['init', 'test'],
  FunctionDeclaration: [],
  FunctionExpression: [],
  IfStatement: ['test'],
  LabeledStatement: [],
  LogicalExpression: ['left'],
  SwitchStatement: ['discriminant'],
  TryStatement: ['finalizer'],
  WhileStatement: ['test'],
};

function certainlyRun(node: Node): readonly Node[] {
  const isMaybeAssigned =
    node.type === 'AssignmentExpression' && /^(&&|\|\||\?\?)=$/.test(String(node.operator));
  const members = isMaybeAssigned ? ['left'] : certainMembers[node.type];
  return members === undefined ? childrenOf(node) : members.map((member) => node[member]).filter(isNode);
}

/** Whether a module may end before its end: nothing in it is certain then. */
function mayReturn(program: Node): boolean {
  const left = [program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === 'ReturnStatement') return true;
    if (!/Function/.test(node.type)) left.push(...childrenOf(node));
  }
  return false;
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
