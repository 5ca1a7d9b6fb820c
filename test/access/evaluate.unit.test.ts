import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containersDenied, mayAnywhere, transformFor } from '#access/evaluate.ts';
import { listedFor } from '#access/listed.ts';
import { permissionFault, permissions, permissionsOf } from '#access/permissions.ts';

const rule = (
  priority: number,
  container: string,
  permission: string,
  transform: 'redact' | 'mask' | 'reveal',
) => ({
  description: '',
  priority,
  container,
  transform,
  permissions: [permission],
});

/** The worked example of the reference of access controls. */
const example = {
  permissions: [],
  rules: [
    rule(1, '/', 'token:create', 'mask'),
    rule(2, '/users/government/', 'token:read', 'redact'),
    rule(3, '/users/employees/', 'token:read', 'reveal'),
    rule(4, '/users/', 'token:read', 'mask'),
  ],
};

const access = suite('access rules');

const reads: [string, string | undefined][] = [
  ['/users/government/', 'redact'],
  ['/users/government/senate/', 'redact'],
  ['/users/employees/', 'reveal'],
  ['/users/jedis/', 'mask'],
  ['/bounty-hunters/', undefined],
];
for (const [container, transform] of reads) {
  access(
    `given the worked example, when a token in ${container} is read, then it is shown by ${transform ?? 'nothing'}`,
    () => {
      assert.is(transformFor(example, 'token:read', { containers: [container] }), transform);
    },
  );
}

access(
  'given a rule of higher priority without the permission, when reading, then it does not stand in the way',
  () => {
    assert.is(transformFor(example, 'token:create', { containers: ['/users/jedis/'] }), 'mask');
    assert.ok(mayAnywhere(example, 'token:read'));
    assert.not.ok(mayAnywhere(example, 'token:delete'));
  },
);

access('given plain permissions, when reading or using, then data is masked or revealed', () => {
  const plain = { permissions: ['token:read', 'token:use'], rules: [] };
  assert.is(transformFor(plain, 'token:read', { containers: ['/anything/'] }), 'mask');
  assert.is(transformFor(plain, 'token:use', { containers: ['/anything/'] }), 'reveal');
  assert.is(transformFor(plain, 'token:delete', { containers: ['/anything/'] }), undefined);
});

access('given rules and plain permissions, when both apply, then the rule decides first', () => {
  const both = { permissions: ['token:read'], rules: [rule(1, '/pci/', 'token:read', 'reveal')] };
  assert.is(transformFor(both, 'token:read', { containers: ['/pci/high/'] }), 'reveal');
  assert.is(transformFor(both, 'token:read', { containers: ['/pii/'] }), 'mask');
});

access('given several containers, when creating, then the permission is needed in each', () => {
  const narrow = { permissions: [], rules: [rule(1, '/pci/', 'token:create', 'mask')] };
  assert.equal(containersDenied(narrow, 'token:create', { containers: ['/pci/high/', '/pci/low/'] }), []);
  assert.equal(containersDenied(narrow, 'token:create', { containers: ['/pci/high/', '/pii/'] }), ['/pii/']);
});

access('given rules, when a list is filtered, then by the containers they grant', () => {
  assert.equal(listedFor(example, 'token:read').containers, [
    '/users/government/',
    '/users/employees/',
    '/users/',
  ]);
  assert.is(listedFor({ permissions: ['token:read'], rules: [] }, 'token:read').containers, undefined);
});

access('given a container whose name only begins alike, when reading, then a rule does not cover it', () => {
  const narrow = { permissions: [], rules: [rule(1, '/pci/', 'token:read', 'mask')] };
  assert.is(transformFor(narrow, 'token:read', { containers: ['/pci-archive/'] }), undefined);
});

const condition = (attribute: 'id' | 'container', operator: 'equals' | 'starts_with', value: string) => ({
  attribute,
  operator,
  value,
});
const conditional = (...conditions: ReturnType<typeof condition>[]) => ({
  permissions: [],
  rules: [
    { description: '', priority: 1, conditions, transform: 'reveal' as const, permissions: ['token:read'] },
  ],
});

access('given conditions, when a token is read, then all of them must hold', () => {
  const rights = conditional(condition('id', 'starts_with', 'a-'), condition('container', 'equals', '/pci/'));
  const read = (id: string, ...containers: string[]) =>
    transformFor(rights, 'token:read', { id, containers });
  assert.is(read('a-1', '/pci/'), 'reveal');
  assert.is(read('a-1', '/pii/', '/pci/'), 'reveal');
  assert.is(read('b-1', '/pci/'), undefined);
  assert.is(read('a-1', '/pci/high/'), undefined);
});

access('given a session, when it reads, then never more than the application that vouches for it', () => {
  const wide = conditional(condition('container', 'starts_with', '/'));
  const read = (within: Parameters<typeof transformFor>[0], container: string) =>
    transformFor({ ...wide, within }, 'token:read', { id: 'a', containers: [container] });
  assert.is(read({ permissions: ['token:read'], rules: [] }, '/pci/'), 'mask');
  assert.is(read(example, '/users/government/'), 'redact');
  assert.is(read(example, '/users/employees/'), 'reveal');
  assert.is(read(example, '/bounty-hunters/'), undefined);
  assert.not.ok(mayAnywhere({ ...wide, within: { permissions: [], rules: [] } }, 'token:read'));
});

access('given a session, when a list is narrowed, then by its own grants and those it was lent', () => {
  const within = { permissions: [], rules: [rule(1, '/pci/', 'token:read', 'mask')] };
  const listed = listedFor({ ...conditional(condition('id', 'equals', 'a')), within }, 'token:read');
  assert.equal(listed, {
    containers: undefined,
    ids: ['a'],
    grants: [[[condition('id', 'equals', 'a')]], [[condition('container', 'starts_with', '/pci/')]]],
  });
});

access(
  'given the table of permissions, when an application type is asked for, then it holds its own and no other',
  () => {
    assert.equal(permissionsOf('public'), ['token:create', 'token:update']);
    assert.ok(permissionsOf('private').includes('token:read'));
    assert.not.ok(permissionsOf('management').some((permission) => permission.startsWith('token:')));
    assert.is(permissionFault('token:read', 'private'), undefined);
    assert.is(
      permissionFault('application:read', 'private'),
      "'application:read' may only be held by a management application",
    );
    assert.is(permissionFault('token:foo', 'private'), "'token:foo' is not a permission");
    assert.is(new Set(permissions.map((permission) => permission.type)).size, permissions.length);
  },
);

access.run();
