import { isBuiltin } from 'node:module';
import catalog from '#packages' with { type: 'json' };

/** Modules of Node that tenants' code may require, also with `node:` before them. */
export const builtIns = ['buffer', 'crypto', 'https', 'querystring', 'stream', 'url', 'util'] as const;

/** The library of errors is ours; the name is the one by which code knows it. */
export const errorPackage = '@basis-theory/basis-theory-reactor-formulas-sdk-js';

type Package = {
  /** The file that its name means, where the one that the package declares cannot run here. */
  main?: string;
  /** What may be required of it besides its name; a star at the end is any one file. */
  also?: readonly string[];
};

/** Packages that tenants' code may require. */
export const packages: Readonly<Record<string, Package>> = catalog.packages;

/** Packages that clients know from elsewhere and that cannot run here, with the reason. */
export const refusedPackages: Readonly<Record<string, string>> = catalog.refused;

const names = [errorPackage, ...Object.keys(packages)].sort();
const allThereIs = `code may require of Node ${builtIns.join(', ')}, and the packages ${names.join(', ')}`;

/** Why code cannot require a module; undefined: it can, as far as its name tells. */
export function whyNotRequired(request: string): string | undefined {
  const name = request.replace(/^node:/, '');
  if (builtIns.some((builtIn) => builtIn === name) || request === errorPackage) return undefined;
  const packageName = packageOf(request);
  const known = memberOf(packages, packageName);
  if (known !== undefined && isPartOf(known, request.slice(packageName.length + 1))) return undefined;
  return `Cannot find module '${shortened(request)}': ${reasonOf(packageName, request)}`;
}

/** Whether a request names a package, rather than a file or a module of Node. */
export const namesPackage = (request: string): boolean =>
  /^(@[\w.~-]+\/)?[\w.~-]/.test(request) && !request.startsWith('.') && !isBuiltin(request);

function reasonOf(packageName: string, request: string): string {
  const refused = memberOf(refusedPackages, packageName);
  if (refused !== undefined) return refused;
  const known = memberOf(packages, packageName);
  if (known !== undefined) {
    const parts = ['', ...(known.also ?? [])].map((part) =>
      part === '' ? packageName : `${packageName}/${part}`,
    );
    return `of this package code may require ${parts.join(', ')}`;
  }
  if (request.startsWith('.') || request.startsWith('/')) return 'code has no files beside it';
  return allThereIs;
}

function isPartOf({ also = [] }: Package, part: string): boolean {
  if (part === '') return true;
  const file = part.replace(/\.js$/, '');
  return also.some((pattern) => {
    if (!pattern.endsWith('*')) return pattern === file;
    const directory = pattern.slice(0, -1);
    return file.startsWith(directory) && !file.slice(directory.length).includes('/');
  });
}

/** Names are anybody's: `constructor` is no package. */
const memberOf = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

const packageOf = (request: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(request)?.[0] ?? '';

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
