// The app as it ships, driven through its window alone.
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { electron, packagesFor, why, type Packages } from './desktop/package.ts'
import { isLong } from '../long.ts'
import { root } from './scripts.ts'
import { processesFrom, variablesOf, workersOf } from './desktop/processes.ts'
import {
  displayMissing,
  giveSampleClass,
  openAccount,
  openDisplay,
  startShipped,
  type Account,
  type Shipped,
} from './desktop/start.ts'

test.describe.configure({ mode: 'default' })
test.skip(electron === null, why)
test.skip(displayMissing, 'needs a display or Xvfb: npm run setup:debian -- --tests')

let packages: Packages
let closeDisplay = (): void => undefined
let account: Account
let app: Shipped | null = null
const program = (): string => join(packages.real, packages.executable)
const shippedNode = (): string => join(packages.real, 'resources', 'node', 'node')

test.beforeAll(async () => {
  if (electron === null) return
  packages = await packagesFor(electron)
  closeDisplay = await openDisplay()
})
test.afterAll(() => closeDisplay())

test.beforeEach(({ browserName: _ }, info) => {
  account = openAccount(program(), { NODE_OPTIONS: '--title=planted', TARTAGLIA_SECRET: 'planted' })
  info.annotations.push({ type: 'run', description: account.note })
})
test.afterEach(async () => {
  await app?.kill()
  app = null
  account.dispose()
})

async function open(): Promise<Page> {
  app = await startShipped(account, program())
  return app.page
}

interface ClassFile {
  readonly contests: readonly { readonly id: string; readonly state: string }[]
}
/** The app's own records of the contest that begins with the first start. */
function sample(): ClassFile['contests'][number] | undefined {
  const file = JSON.parse(readFileSync(join(account.data, 'class.json'), 'utf8')) as ClassFile
  return file.contests.find(({ id }) => id === 'sample-contest-1')
}
const sampleState = (): string | undefined => sample()?.state

test('fuses stand in the binary as docs/security.md says', async () => {
  const wire = await getCurrentFuseWire(program())
  const on = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE
  expect({
    RunAsNode: on(FuseV1Options.RunAsNode),
    EnableCookieEncryption: on(FuseV1Options.EnableCookieEncryption),
    EnableNodeOptionsEnvironmentVariable: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    EnableNodeCliInspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
    EnableEmbeddedAsarIntegrityValidation: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    OnlyLoadAppFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
    LoadBrowserProcessSpecificV8Snapshot: on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
    GrantFileProtocolExtraPrivileges: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    WasmTrapHandlers: on(FuseV1Options.WasmTrapHandlers),
  }).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  })
})

test('what ships is what was built: the bundles, the pinned Node, and no package beside them', () => {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
  const archive = readFileSync(join(packages.real, 'resources', 'app.asar'), 'latin1')
  const header = archive.slice(0, 200_000)
  expect(header).toContain('"desktop.js"')
  expect(header).toContain('"preload.cjs"')
  expect(header).toContain('"esbuild.wasm"')
  expect(header).not.toContain('node_modules')
  expect(archive).toContain(`"name": "${name ?? ''}"`)
  expect(archive).toContain(`"version": "${version ?? ''}"`)
  const pinned = readFileSync(join(root, 'node_modules', '.bin', 'node'))
  expect(readFileSync(shippedNode()).equals(pinned)).toBe(true)
  for (const file of ['worker.js', 'reader.js', 'host.cjs', 'bundler.cjs']) {
    const unpacked = readFileSync(join(packages.real, 'resources', 'app.asar.unpacked', 'dist', file))
    expect(unpacked.equals(readFileSync(join(root, 'dist', file))), file).toBe(true)
  }
})

test('licences lie where people can read them: ours, those of what is bundled, Electron’s and Node’s', () => {
  const inResources = (name: string): string => readFileSync(join(packages.real, 'resources', name), 'utf8')
  expect(inResources('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
  expect(inResources('THIRD-PARTY-LICENSES.txt')).toBe(
    readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8'),
  )
  expect(inResources('node/LICENSE')).toContain('Node.js is licensed')
  for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html'])
    expect(readFileSync(join(packages.real, name), 'utf8').length).toBeGreaterThan(500)
})

interface MadePackages {
  readonly base: string
  readonly tar: string
  /** undefined: dpkg-deb is not here. */
  readonly deb: string | undefined
}

/** Makes the packages of `npm run package:linux` in a folder that is removed afterwards, when the app that was started in it has ended. */
async function withPackages(use: (made: MadePackages) => Promise<void>): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'tartaglia-linux-'))
  try {
    chmodSync(base, 0o755)
    const words = [join(root, 'scripts/linux-packages.mjs'), '--app', packages.real, '--out', base, '--quick']
    const files = execFileSync(process.execPath, words, { encoding: 'utf8' }).trim().split('\n')
    const [tar = ''] = files
    await use({ base, tar, deb: files.find((file) => file.endsWith('.deb')) })
  } finally {
    await app?.kill()
    app = null
    rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/**
 * Reads from the desktop entry of an unpacked deb how a file manager starts the app: for `%U`, which says that it takes addresses, files are named
 * by theirs.
 */
function desktopEntryOf(unpacked: string): (clicked: readonly string[]) => [string, string[]] {
  const entry = readFileSync(join(unpacked, 'usr/share/applications/tartaglia.desktop'), 'utf8')
  const [, file = '', field = ''] = /^Exec=(\/\S+) (%\w)$/m.exec(entry) ?? []
  expect(field).toBe('%U')
  return (clicked) => [
    join(unpacked, file),
    clicked.map((each) => (each.startsWith('/') ? pathToFileURL(each).href : each)),
  ]
}

function playedMatch(base: string): string {
  const exported = join(base, 'match.jsonl')
  const play = ['match', 'play', 'baby', 'baby', '--isolation', 'permission', '--export', exported]
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...play], { stdio: 'pipe' })
  return readFileSync(exported, 'utf8')
}

// Every run starts the same app but for a fuse, and reads the fuses above: see desktop.spec.ts.
if (isLong) {
  test('the first start shows the class, whose contest is played on the Node that ships, with a bare environment', async () => {
    const page = await open()
    await expect(page.getByRole('heading', { name: 'Class', level: 1 })).toBeVisible()
    expect(page.url()).toMatch(/^app:\/\/tartaglia\//)

    await expect.poll(() => workersOf(packages.real).length).toBeGreaterThan(0)
    const playing = workersOf(packages.real)
    expect(variablesOf(playing)).toEqual([])
    const [one] = playing
    // As an ordinary user, its processes too are that user's.
    if (one !== undefined && account.user !== null) expect(statSync(`/proc/${one.pid}`).uid).toBe(account.user)

    await expect(page.getByText(/\d+ of 70 matches/).first()).toBeVisible()
    await expect.poll(sampleState, { timeout: 200_000 }).toBe('ended')
    await expect(page.getByText('Nothing is running.')).toBeVisible()
  })

  test('TypeScript is bundled by what ships, and plays', async () => {
    const page = await open()
    await page.evaluate(() => (location.hash = '#/agents'))
    const baby = readFileSync(join(root, 'dist', 'agents', 'specker', 'baby.js'), 'utf8')
    const typed = Buffer.from(`const typed: number = 1\n${baby}`)
    await page.getByLabel('Hand in an agent').setInputFiles({ name: 'typed.ts', mimeType: 'text/plain', buffer: typed })
    await page.getByRole('button', { name: 'Hand in', exact: true }).click()
    const handedIn = page.getByRole('list', { name: 'Just handed in' }).getByRole('listitem')
    await expect(handedIn.first()).toContainText('Works', { timeout: 200_000 })
  })

  test('killed in the middle of a contest and started again, it goes on with it', async () => {
    const page = await open()
    await expect(page.getByText(/\b[1-9]\d* of 70 matches/).first()).toBeVisible()
    await app?.kill()
    await expect.poll(() => processesFrom(packages.real).length).toBe(0)
    expect(sampleState()).toBe('open')

    // The running contest goes on by itself.
    await open()
    await expect.poll(sampleState, { timeout: 200_000 }).toBe('ended')
  })

  test('the app of the deb opens histories that are double-clicked and links, at its first start and while it runs', async () => {
    await withPackages(async ({ base, deb }) => {
      test.skip(deb === undefined, 'needs dpkg-deb')
      execFileSync('dpkg-deb', ['-x', deb!, join(base, 'root')])
      const clicked = desktopEntryOf(join(base, 'root'))
      const exported = playedMatch(base)
      const history = account.write('a match.jsonl', exported)
      const another = account.write('another match.jsonl', exported)
      await giveSampleClass(account)
      app = await startShipped(account, ...clicked([history]))
      const place = () => app?.page.evaluate(() => location.hash)
      await expect.poll(place).toMatch(/^#\/histories\/file\/./)
      const first = await place()
      expect(await account.run(...clicked([another]))).toBe(0)
      await expect.poll(place).not.toBe(first)
      expect(await place()).toMatch(/^#\/histories\/file\/./)
      expect(await account.run(...clicked(['tartaglia://match/sample-contest-1/0?move=2']))).toBe(0)
      await expect.poll(place).toBe('#/contests/sample-contest-1/matches/0?move=2')
    })
  })

  test('the app of the tar.gz starts where an ordinary user unpacks it, and opens a link', async () => {
    await withPackages(async ({ base, tar }) => {
      execFileSync('tar', ['-xzf', tar, '-C', base])
      await giveSampleClass(account)
      const unpacked = join(base, basename(tar, '.tar.gz'), 'tartaglia')
      app = await startShipped(account, unpacked, ['tartaglia://match/sample-contest-1/0?move=2'])
      const place = () => app?.page.evaluate(() => location.hash)
      await expect.poll(place).toBe('#/contests/sample-contest-1/matches/0?move=2')
    })
  })

  test('a second start hands over to the first and ends', async () => {
    await open()
    const second = await account.run(program(), [join(root, 'README.md')])
    expect(second).toBe(0)
    expect(app?.process.exitCode).toBeNull()
  })

  test("Electron's own switches for a debugger and for Node are not heeded", async () => {
    const marker = join(account.data, '..', 'planted')
    const code = `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`
    const file = account.write('planted.cjs', code)
    // As Node it would run the file and end; as the app it becomes a second start, and ends too.
    await open()
    await account.run(program(), [file], { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require=${file}` })
    await account.run(program(), ['--inspect-brk=0', `--require=${file}`])
    expect(() => statSync(marker)).toThrow('ENOENT')
  })
}
