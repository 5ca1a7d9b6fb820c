import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '#test/reactors/bt/support/calls.ts';
import { Realm } from '#test/reactors/bt/support/library.ts';
import { Original } from '#test/reactors/bt/support/original.ts';

const surface = suite('bt: the surface of basis-theory-js');

const realm = new Realm(() => assert.unreachable() as never);
let original: Record<string, unknown>;
let close: () => Promise<void>;

surface.before(async () => {
  const opened = await Original.open();
  original = opened.client as unknown as Record<string, unknown>;
  close = () => opened.close();
});
surface.after(() => close());

/** What the original has in this version, and tenants are promised. */
const namespaces = [
  'applicationTemplates',
  'applications',
  'logs',
  'permissions',
  'proxies',
  'proxy',
  'reactorFormulas',
  'reactors',
  'sessions',
  'tenants',
  'tokens',
];
/** Elements are for browsers, transactions were never in the service, and there is nothing to set up. */
const left = [
  'client',
  'constructor',
  'createElement',
  'elements',
  'init',
  'initOptions',
  'loadElements',
  'transactions',
];

/** All that can be called on an object of a class. */
function methodsOf(value: unknown): string[] {
  const names = new Set<string>();
  for (
    let level = value as object;
    level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object
  ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  const hidden = ['constructor', 'client', 'proxyRequest'];
  return [...names].filter((name) => !hidden.includes(name)).sort();
}

surface('given the original, then each of its methods is there under its name', () => {
  for (const namespace of namespaces) {
    const missing = methodsOf(original[namespace]).filter(
      (name) => !realm.methods[namespace]?.includes(name),
    );
    assert.equal(missing, [], namespace);
  }
  assert.ok('tokenize' in realm.methods);
});

surface('given the original, then nothing of it was overlooked', () => {
  const prototype = Object.getPrototypeOf(original) as object;
  const known = [...namespaces, ...left, 'tokenize'].sort();
  assert.equal(Object.getOwnPropertyNames(prototype).sort(), known);
});

surface('given what the original does not have yet, then it is there all the same', () => {
  assert.equal(realm.methods['applicationKeys'], ['create', 'get', 'getById', 'delete']);
  assert.equal(Object.keys(realm.methods).sort(), [
    ...[...namespaces, 'applicationKeys', 'detokenize', 'threeds', 'tokenize'].sort(),
  ]);
});

surface('given the methods of the original, then what each sends is compared', () => {
  for (const namespace of namespaces) {
    for (const method of methodsOf(original[namespace])) {
      const call = `bt.${namespace}.${method}(`;
      assert.ok(
        calls.some((text) => text.startsWith(call)),
        call,
      );
    }
  }
});

surface.run();
