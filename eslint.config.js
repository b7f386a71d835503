import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import svelte from 'eslint-plugin-svelte'
import tseslint from 'typescript-eslint'

/** Rooms whose results must follow from their inputs alone. tsconfig.pure.json keeps Node's and the DOM's types out. */
const pure = ['grammars/**/*.ts', 'main/contract/**/*.ts', 'main/referees/*/rules.ts']
const clockAndChance = [
  { object: 'Math', property: 'random', message: 'Take numbers from a seeded stream.' },
  { object: 'Date', property: 'now', message: 'Time comes from the table.' },
]

export default defineConfig(
  { ignores: ['node_modules/', 'dist/', 'release/', '.cache/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Numbers in sentences are what template literals are for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      // `(x) => report(x)` and `return stop()` read better than a block around one call.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true, ignoreVoidOperator: true },
      ],
      // An async function without await still turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
      // Interfaces here are records of closures; nothing of ours reads `this` outside a class.
      '@typescript-eslint/unbound-method': 'off',
      // Indexes are checked by noUncheckedIndexedAccess; `!` states an invariant where a bound has just been tested.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['{renderer,test}/**/*.svelte', '{renderer,test}/**/*.svelte.ts'],
    extends: [svelte.configs.recommended, svelte.configs.prettier],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      // `void asked`: an effect reads what it depends on.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // Caches that nothing draws are plain Maps and Sets on purpose.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    // eslint.window.config.js takes the time that types of components take.
    name: 'the window without types',
    files: ['{renderer,test}/**/*.svelte', 'renderer/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { '@typescript-eslint/switch-exhaustiveness-check': 'off' },
  },
  {
    files: ['{renderer,test}/**/*.svelte'],
    rules: {
      // Text is always text.
      'svelte/no-at-html-tags': 'error',
      // Addresses of screens begin with # and are made by links.ts; there is no SvelteKit here.
      'svelte/no-navigation-without-resolve': 'off',
      // svelte-check finds undefined names, and knows a browser's.
      'no-undef': 'off',
      // The use of a snippet or a prop in a template is checked by svelte-check; typescript-eslint sees `any` there.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: pure,
    rules: { 'no-restricted-properties': ['error', ...clockAndChance] },
  },
  {
    // Agents too, but for chance: in the realm that they run in, Math.random is seeded.
    files: [...pure, 'agents/**/*.ts'],
    // Tests of students run at their desks, on Node.
    ignores: ['agents/kits/**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['Date', 'performance', 'setTimeout', 'setInterval', 'process', 'crypto', 'fetch'].map((name) => ({
          name,
          message: 'This room is pure: no clock, no chance, no machine.',
        })),
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['node:*'], message: 'This room is pure: no Node module.' },
            { regex: String.raw`^\.{1,2}/.*\.js$`, message: 'Relative imports end in .ts.' },
          ],
        },
      ],
    },
  },
  {
    files: ['main/referees/**/*.ts', 'main/services/contests/{statistics,formats,schedule,standings,engine}/**/*.ts'],
    rules: {
      // A contest must come out the same on every run.
      'no-restricted-properties': ['error', clockAndChance[0]],
    },
  },
  {
    // Types of tests are checked by tsc; rules that need them would double the time of `npm run check`.
    files: ['test/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { '@typescript-eslint/switch-exhaustiveness-check': 'off' },
  },
  {
    files: ['test/bench/**/*.ts', 'test/build-first.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['process', 'console', 'performance', 'URL', 'Buffer', 'module', 'require'],
          ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
)
