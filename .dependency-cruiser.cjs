/** The house's rule of direction: domain <- commands, projections, subscribers, queries <- http. */
const only = (name, from, notTo, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: notTo },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-unresolvable',
      comment: 'Modules of the name `holdfast:` exist inside isolates only.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^holdfast:' },
    },
    only(
      'domain-is-pure',
      '^src/domain',
      '^(src/(?!domain)|commands|queries|projections|infra|bench|test|node_modules/(?!typebox))',
      'The domain knows nothing but itself: no clock, no identifiers, no database.',
    ),
    only(
      'ports-are-interfaces',
      '^src/ports',
      '^(src/(?!ports|domain)|commands|queries|projections|infra)',
      '',
    ),
    only(
      'access-is-pure',
      '^src/access',
      '^(src/(?!access|domain|ports|expressions)|commands|queries|projections|infra)',
      '',
    ),
    only(
      'expressions-are-pure',
      '^src/expressions',
      '^(src/(?!expressions)|commands|queries|projections|infra)',
      '',
    ),
    only(
      'commands-do-not-look-out',
      '^commands',
      '^(src/(http|subscribers|main)|queries|projections|infra|test|bench)',
      'A command is called by http, subscribers and timers; it calls none of them.',
    ),
    only('queries-only-read', '^queries', '^(src/(http|subscribers|main)|commands|projections|infra)', ''),
    only(
      'projections-have-no-effects',
      '^projections',
      '^(src/(http|subscribers|access|main)|commands|queries|infra)',
      'A rebuild must never be able to send anything.',
    ),
    only('subscribers-do-not-serve', '^src/subscribers', '^(src/(http|main)|queries|projections|infra)', ''),
    only(
      'reactors-do-not-serve',
      '^src/reactors',
      '^(src/(http/(app|server|router|endpoint|dispatch|routes|middleware)|subscribers|main)|projections|infra)',
      'What code of tenants asks for is served through ports. How things are shown and checked is the same as over HTTP.',
    ),
    only(
      'account-updater-does-not-serve',
      '^src/accountUpdater',
      '^(src/(http|subscribers|jobs|timers|main)|projections|infra)',
      'What jobs do with files and cards is called by jobs and routes, and reaches the outside through ports.',
    ),
    only('http-names-no-infra', '^src/http', '^(infra|projections|src/main)', ''),
    {
      name: 'only-the-composition-root-names-infra',
      severity: 'error',
      from: { path: '^(src|commands|queries|projections)', pathNot: '^src/main\\.ts$|^src/(main|cli)/' },
      to: { path: '^infra' },
    },
    only('infra-implements-ports', '^infra', '^(src/(http|subscribers|main)|commands|queries)', ''),
    only(
      'packages-of-tenants-are-not-ours',
      '^(src|commands|queries|projections|infra|test|bench)',
      '^packages/(?!catalog\\.json$)',
      'What tenants may require is not checked, updated or loaded as code of the product. Only its list is known.',
    ),
    only(
      'unit-tests-need-nothing',
      '\\.unit\\.test\\.ts$',
      '^(node:)?(fs|fs/promises|net|http|https|http2|tls|dgram|dns|child_process|worker_threads|timers|timers/promises)$|node_modules/(pg|isolated-vm|undici)/|^test/support/(database|postgres|testServer|service|ownService|vaultService|preparedDirectory)\\.ts$',
      'A unit test has no files, clock, port or process: see docs/testing.md.',
    ),
    only(
      'int-tests-do-not-start-the-service',
      '\\.int\\.test\\.ts$',
      '^test/support/(service|ownService|vaultService|preparedDirectory)\\.ts$',
      'What asks the service by HTTP is named .e2e.test.ts.',
    ),
    only('nothing-imports-tests', '^(src|commands|queries|projections|infra)', '^(test|bench)', ''),
  ],
  options: {
    builtInModules: { add: ['node:sqlite'] },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
