import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containersGranted, mayAnywhere, mayInAll, transformFor } from '#access/evaluate.ts';
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
      assert.is(transformFor(example, 'token:read', [container]), transform);
    },
  );
}

access(
  'given a rule of higher priority without the permission, when reading, then it does not stand in the way',
  () => {
    assert.is(transformFor(example, 'token:create', ['/users/jedis/']), 'mask');
    assert.ok(mayAnywhere(example, 'token:read'));
    assert.not.ok(mayAnywhere(example, 'token:delete'));
  },
);

access('given plain permissions, when reading or using, then data is masked or revealed', () => {
  const plain = { permissions: ['token:read', 'token:use'], rules: [] };
  assert.is(transformFor(plain, 'token:read', ['/anything/']), 'mask');
  assert.is(transformFor(plain, 'token:use', ['/anything/']), 'reveal');
  assert.is(transformFor(plain, 'token:delete', ['/anything/']), undefined);
});

access('given rules and plain permissions, when both apply, then the rule decides first', () => {
  const both = { permissions: ['token:read'], rules: [rule(1, '/pci/', 'token:read', 'reveal')] };
  assert.is(transformFor(both, 'token:read', ['/pci/high/']), 'reveal');
  assert.is(transformFor(both, 'token:read', ['/pii/']), 'mask');
});

access('given several containers, when creating, then the permission is needed in each', () => {
  const narrow = { permissions: [], rules: [rule(1, '/pci/', 'token:create', 'mask')] };
  assert.ok(mayInAll(narrow, 'token:create', ['/pci/high/', '/pci/low/']));
  assert.not.ok(mayInAll(narrow, 'token:create', ['/pci/high/', '/pii/']));
});

access('given rules, when a list is filtered, then by the containers they grant', () => {
  assert.equal(containersGranted(example, 'token:read'), [
    '/users/government/',
    '/users/employees/',
    '/users/',
  ]);
  assert.is(containersGranted({ permissions: ['token:read'], rules: [] }, 'token:read'), undefined);
});

access('given a container whose name only begins alike, when reading, then a rule does not cover it', () => {
  const narrow = { permissions: [], rules: [rule(1, '/pci/', 'token:read', 'mask')] };
  assert.is(transformFor(narrow, 'token:read', ['/pci-archive/']), undefined);
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
