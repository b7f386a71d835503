import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { electron, packagesFor } from '../e2e/desktop/package.ts'
import { root } from '../e2e/scripts.ts'
import { withFolder } from './folder.ts'
import { alternately, median, mustBe } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 9
const ownNode = join(root, 'node_modules', `node-${process.platform}-${process.arch}`)

/** The package for npm, installed in an empty folder with an empty home: its size, and the time that its starts take. */
export const installed: Bench = {
  name: 'installed',
  measure: () =>
    withFolder(async (base) => {
      const [home, here] = [join(base, 'home'), join(base, 'here')]
      for (const folder of [home, here]) mkdirSync(folder)
      writeFileSync(join(here, 'package.json'), '{}')
      // Without a display, so that the first start plays its contest in the terminal.
      const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
      const env = { PATH, HOME: home, DISPLAY: '' }
      const made = spawnSync(process.execPath, [join(root, 'scripts', 'npm-package.mjs')], { env, encoding: 'utf8' })
      const file = made.stdout.trim()
      const words = ['install', '--offline', '--no-audit', '--no-fund', '--install-links', file, ownNode]
      mustBe(spawnSync('npm', words, { cwd: here, env }).status === 0)
      const program = join(here, 'node_modules', '.bin', 'tartaglia')
      const folderOf = (name: string): number => bytesOf(join(here, 'node_modules', name)) / 1e6
      const packed = { name: 'installed, the package for npm', value: statSync(file).size / 1e6, unit: 'MB' }
      const unpacked = { name: 'the same, installed', value: folderOf('tartaglia'), unit: 'MB' }
      const its = { name: 'its Node', value: folderOf(`node-${process.platform}-${process.arch}`), unit: 'MB' }
      const { first, second } = await alternately(
        ROUNDS,
        () => timed(program, ['--version'], env),
        () => timed(process.execPath, ['-e', '0'], env),
      )
      const bare = { name: 'a bare node', value: median(second), unit: 'ms' }
      const version = { name: 'installed, tartaglia --version', value: median(first), unit: 'ms' }
      const start = {
        name: 'installed, first start to its standings',
        value: await firstStandings(program, env),
        unit: 's',
      }
      return [
        rowOf(packed, unpacked, { of: 'value', below: 12 }),
        rowOf({ ...unpacked, name: 'installed, the folder without Node' }, its),
        ...(await desktopRows()),
        rowOf(version, bare, { of: 'value', below: 250 }),
        rowOf(start, { ...version, value: version.value / 1_000, unit: 's' }, { of: 'value', below: 10 }),
      ]
    }),
}

async function desktopRows(): Promise<readonly Row[]> {
  if (electron === null) {
    console.error('  left out: the folder of the desktop app needs an Electron')
    return []
  }
  const { real } = await packagesFor(electron)
  return [
    rowOf(
      { name: 'installed, the folder of the desktop app', value: bytesOf(real) / 1e6, unit: 'MB' },
      { name: 'Electron alone', value: bytesOf(electron.folder) / 1e6, unit: 'MB' },
    ),
  ]
}

/** The sum of the sizes of all files below a folder; what a link leads to is counted where it lies. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
}

/** The ms from the command to its end. */
function timed(program: string, args: readonly string[], env: Readonly<Record<string, string>>): number {
  const begun = performance.now()
  mustBe(spawnSync(program, args, { env }).status === 0)
  return performance.now() - begun
}

/** The s until the first start, in an empty home, has played the sample contest and shows its standings. */
async function firstStandings(program: string, env: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now()
  const child = spawn(program, [], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  try {
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/(\d+) matches of \1 played/.test(said)) resolve()
      })
      void ended.then(() => reject(new Error(`it ended before its standings: ${said}`)))
    })
    return (performance.now() - begun) / 1_000
  } finally {
    child.kill('SIGINT')
    await ended
  }
}
