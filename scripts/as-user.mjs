// An ordinary user's copy of the project, for root to run tests in: root's boxes begin by becoming somebody else, an
// ordinary user's do not.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, sep } from 'node:path'
import { root } from './setup.mjs'

/** Nobody, by number: the name may be missing. */
const user = '65534'
const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
/** Packages are used where they lie; the rest is made again where it is missing. */
const leftOut = ['node_modules', '.git', '.cache', 'release', 'coverage']

/**
 * Makes the copy, with a home and a temporary folder beside it; for root on Linux. node: the one that runs the tests. Gives
 * `command`, which turns a program with its arguments and variables into what starts it there; `report`, a file that the
 * user can write; `remove`. Or, in `missing`, what this machine lacks, as a test's name would say it.
 */
export function ordinaryUser(node) {
  const missing = whatIsMissing()
  if (missing !== null) return { missing }
  const base = mkdtempSync(join(openFolder(), 'tartaglia-user-'))
  const [project, home, temporary] = ['project', 'home', 'tmp'].map((name) => join(base, name))
  const remove = () => rmSync(base, { recursive: true, force: true })
  const there = (word) => (word.startsWith(root) ? project + word.slice(root.length) : word)
  const command = (file, args, variables = {}) => {
    const PATH = [join(project, 'node_modules', '.bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
    return {
      file: 'unshare',
      args: [
        // Its own mount: the packages may lie in a folder that shuts the user out.
        ...['--mount', '--propagation', 'private', 'sh', '-c', 'mount --bind "$0" node_modules && exec "$@"'],
        ...[join(root, 'node_modules'), ...asUser, there(file), ...args.map(there)],
      ],
      options: { cwd: project, env: { PATH, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', ...variables } },
    }
  }
  try {
    chmodSync(base, 0o755)
    for (const folder of [join(project, 'node_modules'), home, temporary]) mkdirSync(folder, { recursive: true })
    cpSync(root, project, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !leftOut.includes(relative(root, path).split(sep)[0]),
    })
    spawnSync('chown', ['-R', `${user}:${user}`, base])
    const { file, args, options } = command(node, ['--version'])
    if (spawnSync(file, args, options).status === 0) return { command, report: join(temporary, 'report.json'), remove }
    remove()
    return { missing: 'needs mounts of its own, and packages that everybody can read' }
  } catch (error) {
    remove()
    throw error
  }
}

function whatIsMissing() {
  if (!succeeds(...asUser, 'true')) return 'needs setpriv'
  if (!succeeds('bwrap', '--version')) return 'needs bubblewrap'
  if (!succeeds(...asUser, 'bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true')) {
    return 'needs user namespaces for ordinary users'
  }
  return openFolder() === undefined ? 'needs a temporary folder that everybody can enter' : null
}

const openFolder = () => [tmpdir(), '/var/tmp', '/tmp'].find((path) => succeeds(...asUser, 'test', '-x', path))

function succeeds(file, ...args) {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0
}
