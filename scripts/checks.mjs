// The checks that do not run the app. Each check is one row of `npm run check` and one test of `npm test`.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ownEnvironment, Plain, root } from './setup.mjs'

/** Most of what these tools allocate dies young. */
const youngRoom = ['--min-semi-space-size=128', '--max-semi-space-size=256']
const tool = (path) => join('node_modules', ...path.split('/'))
/** By the native compiler; the linter needs the older one. Its threads would do half of the work twice. */
const types = (project, name) => [
  ...[tool('@typescript/native/bin/tsc'), '-p', project, '--singleThreaded'],
  ...['--incremental', '--tsBuildInfoFile', join('.cache', 'types', `${name}.json`)],
]
const lint = (...args) => [tool('eslint/bin/eslint.js'), '--max-warnings=0', ...args]
const untyped = ['test', 'renderer', '**/*.svelte']
const checks = [
  // The longest first, so that the others run beside them.
  { name: 'lint', args: lint('.', ...untyped.flatMap((files) => ['--ignore-pattern', files])) },
  {
    name: 'formatting',
    args: [
      ...[tool('prettier/bin/prettier.cjs'), '--check', '--log-level=warn'],
      ...['--cache', '--cache-strategy=content', '--cache-location', join('.cache', 'formatting.json'), '.'],
    ],
  },
  {
    // No rule asks for types here, so each file's verdict depends on that file alone and can be kept.
    name: 'lint of window and tests',
    args: lint(...['--cache', '--cache-strategy=content', '--cache-location', join('.cache', 'lint.json')], ...untyped),
  },
  {
    name: 'types of the window',
    args: [
      tool('svelte-check/bin/svelte-check'),
      ...['--tsconfig', 'renderer/tsconfig.json', '--fail-on-warnings', '--tsgo-experimental-api'],
    ],
  },
  { name: 'types', args: types('tsconfig.json', 'all') },
  { name: 'types of the pure rooms', args: types('tsconfig.pure.json', 'pure') },
  { name: 'types of tests from end to end', args: types('test/e2e', 'e2e') },
  {
    name: 'import rules',
    args: [
      tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      ...['main', 'grammars', 'agents', 'renderer', 'test'],
    ],
  },
  { name: 'names of games', args: [join('scripts', 'game-names.mjs')] },
  { name: 'plain English', args: [join('scripts', 'plain-english.mjs')] },
  { name: 'nothing unused', args: [tool('knip/bin/knip.js'), '--no-progress'] },
]

/** Too long for `npm run check`. */
const windowWithTypes = {
  name: 'lint of the window, with types',
  // The parser gives the compiler every component as the TypeScript that it lints, so that the compiler need not begin anew at
  // each; without this it took more than twice the time.
  env: { SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK: '1' },
  args: lint('--config', 'eslint.window.config.js', 'renderer/**/*.ts', '{renderer,test}/**/*.svelte'),
}

/**
 * Runs every check whose name contains `filter`, as many at once as there are cores, and prints a line for each when it is
 * through. Resolves to how many passed and failed. Throws Plain if there is no such check.
 */
export async function runChecks(node, { whole = false, filter = '' } = {}) {
  const waiting = checksNamed(filter, whole)
  const counts = { passed: 0, failed: 0 }
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { status, output, seconds } = await runTool(node, [...youngRoom, ...check.args], check.env)
      counts[status === 0 ? 'passed' : 'failed'] += 1
      console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${check.name} (${seconds.toFixed(1)} s)`)
      if (status !== 0)
        console.log(output.trimEnd().replace(/^/gm, '    ') || `    ended with ${status} and said nothing`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, Math.min(4, availableParallelism())) }, lane))
  return counts
}

/** The checks whose name contains `filter`. Throws Plain if there is none. */
function checksNamed(filter, whole = false) {
  const all = whole ? [windowWithTypes, ...checks] : checks
  const found = all.filter(({ name }) => name.includes(filter))
  if (found.length > 0) return found
  throw new Plain(`There is no check "${filter}"; there is ${all.map(({ name }) => name).join(', ')}.`)
}

function runTool(node, args, variables = {}) {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    // The native compiler need not be thrifty with its memory for the seconds that it runs.
    const env = ownEnvironment({ GOGC: '400', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...variables })
    const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (status, signal) =>
      resolve({ status: status ?? signal, output, seconds: (performance.now() - started) / 1000 }),
    )
  })
}
