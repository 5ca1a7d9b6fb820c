import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', '.holdfast/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
      ],
    },
  },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['node:*', 'uuid', 'pg', 'knex'] }],
      'no-restricted-globals': ['error', 'Date', 'crypto', 'process'],
    },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', URL: 'readonly', module: 'writable' } },
  },
  {
    // What the kernel gives to modules inside an isolate; the kernel itself uses nothing of it.
    files: ['infra/sandbox/runtime/**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: Object.fromEntries(
        ['Buffer', 'TextDecoder', 'TextEncoder', 'clearTimeout', 'queueMicrotask', 'setTimeout'].map(
          (name) => [name, 'readonly'],
        ),
      ),
    },
    rules: {
      '@typescript-eslint/no-require-imports': 'off',
      // They stand in for what has a global of the same name, and for methods that do nothing here.
      'no-redeclare': ['error', { builtinGlobals: false }],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/class-literal-property-style': 'off',
    },
  },
  {
    // Iterators can be replaced by the code that the kernel has to hold.
    files: ['infra/sandbox/runtime/kernel/*.cjs'],
    rules: {
      '@typescript-eslint/prefer-for-of': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    // Its value as a script is what its last expression says.
    files: ['infra/sandbox/runtime/kernel.cjs'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
);
