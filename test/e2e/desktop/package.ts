import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const root = join(import.meta.dirname, '../../..')

interface TestBuildScript {
  readonly testBuildVersion: string
  testBuild(): string | null
}
const script = 'scripts/electron-test-build.mjs'
const { testBuild, testBuildVersion } = (await import(pathToFileURL(join(root, script)).href)) as TestBuildScript

/** The Electron to test with: the official one where it has been downloaded, else the test build; null: neither is here. */
export const electron = official() ?? unofficial()
export const why = `needs an Electron: node ${script}`

interface Electron {
  readonly folder: string
  readonly version: string
}

function official(): Electron | null {
  const folder = join(root, 'node_modules', 'electron', 'dist')
  const version = join(folder, 'version')
  return existsSync(join(folder, 'electron')) && existsSync(version)
    ? { folder, version: readFileSync(version, 'utf8').trim().replace(/^v/, '') }
    : null
}

function unofficial(): Electron | null {
  const folder = process.platform === 'linux' ? testBuild() : null
  return folder === null ? null : { folder, version: testBuildVersion }
}

const packages = join(root, '.cache', 'test-package')
const executable = 'tartaglia'

export interface Packages {
  /** The app's folder as it ships. */
  readonly real: string
  /** The same but for one fuse, EnableNodeCliInspectArguments: without it Playwright cannot look into the main process. */
  readonly twin: string
  readonly executable: string
}

/** Makes both packages, once for each state of the sources. Takes half a minute. */
export async function packagesFor({ folder, version }: Electron): Promise<Packages> {
  const hash = createHash('sha256').update(version)
  for (const file of ['dist/.stamp', 'electron-builder.yml', 'scripts/package.mjs', 'package.json']) {
    hash.update(readFileSync(join(root, file)))
  }
  const home = join(packages, hash.digest('hex').slice(0, 16))
  const made = { real: join(home, 'linux-unpacked'), twin: join(home, 'twin'), executable }
  if (existsSync(home)) return made
  rmSync(packages, { recursive: true, force: true })
  const fresh = `${home}.new`
  const args = [
    ...['--linux', 'dir', `-c.electronDist=${folder}`, `-c.electronVersion=${version}`],
    `-c.directories.output=${fresh}`,
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/package.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm run package ended with ${String(status)}:\n${stdout}\n${stderr}`)
  await makeTwin(join(fresh, 'linux-unpacked'), join(fresh, 'twin'))
  renameSync(fresh, home)
  return made
}

/** Links every file but the one that differs. */
async function makeTwin(real: string, twin: string): Promise<void> {
  for (const item of readdirSync(real, { withFileTypes: true, recursive: true })) {
    if (!item.isFile()) continue
    const folder = join(twin, item.parentPath.slice(real.length))
    mkdirSync(folder, { recursive: true })
    if (item.name === executable) copyFileSync(join(item.parentPath, item.name), join(folder, item.name))
    else linkSync(join(item.parentPath, item.name), join(folder, item.name))
  }
  await flipFuses(join(twin, executable), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  })
}
