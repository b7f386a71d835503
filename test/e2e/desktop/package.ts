import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, testBuild, testBuildScript, testBuildVersion, withLock } from '../scripts.ts'

/** The Electron to test with: the official one where it has been downloaded, else the test build; null: neither is here. */
export const electron = official() ?? unofficial()
export const why = `needs an Electron: node scripts/${testBuildScript}`

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
  // Two test files want them, perhaps at the same time.
  await withLock('test-package', () => makePackages(home, folder, version))
  return { real: join(home, 'linux-unpacked'), twin: join(home, 'twin'), executable }
}

async function makePackages(home: string, folder: string, version: string): Promise<void> {
  if (existsSync(home)) return
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
