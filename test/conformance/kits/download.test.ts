import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readZip } from '../../../main/app/packages/zip.ts'
import { writeZip } from '../../../main/app/packages/write-zip.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { files } from '../../hostile/players/seats.ts'
import { run } from '../../unit/cli/surroundings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-download-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const boxed = (await availableTiers(files)).some(({ tier, available }) => tier === 'bubblewrap' && available)

/** Runs a command where a student has unpacked the kit, with nothing of our environment but the path of Node. */
const student = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: cwd } })

describe.each([
  ['javascript', 'agent.cjs', 'permission', true],
  ['typescript', 'agent.ts', 'bubblewrap', boxed],
  ['python', '.', 'bubblewrap', boxed && existsSync('/usr/bin/python3')],
])('the download of the kit for %s', (kit, agent, isolation, can) => {
  const zip = join(folder, `${kit}.zip`)
  const home = join(folder, kit)

  test('is a zip with one folder, and has all that its pages name', async () => {
    expect(await run('kit', kit, '--out', zip, '--json')).toMatchObject({ code: 0 })
    const entries = readZip(readFileSync(zip))
    if (!Array.isArray(entries)) throw new Error(String(entries))
    for (const { path, size, read } of entries as { path: string; size: number; read(most: number): Uint8Array }[]) {
      expect(path.startsWith(`tartaglia-${kit}/`)).toBe(true)
      const to = join(home, path.slice(path.indexOf('/') + 1))
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, read(size))
    }
    const text = readFileSync(join(home, 'README.md'), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect([link, existsSync(resolve(home, link))]).toEqual([link, true])
    expect(text).toContain('npx tartaglia')
  })

  // The kit in Python has none.
  if (kit !== 'python')
    test('its tests pass there', () => {
      const { status, stdout } = student(home, '--test')
      expect([status, stdout]).toEqual([0, stdout])
      expect(stdout).toMatch(/pass [1-9]/)
    })

  test.skipIf(!can)('its agent plays there by its own runner (needs bubblewrap; python: /usr/bin/python3)', () => {
    const match = ['match', 'play', '--game', 'specker', join(home, agent), 'baby', '--isolation', isolation, '--json']
    if (kit === 'typescript') {
      // What `npm install` would bring.
      const bundler = join('node_modules', 'esbuild-wasm')
      cpSync(fileURLToPath(new URL(`../../../${bundler}`, import.meta.url)), join(home, bundler), { recursive: true })
    }
    const file = kit === 'python' ? packed(home) : join(home, agent)
    const { status, stdout, stderr } = student(home, 'tartaglia.mjs', ...match.with(4, file))
    expect([status, stderr]).toEqual([0, stderr])
    expect(stderr).not.toContain('Warning')
    const { seats } = JSON.parse(stdout) as { seats: { agent: string; removed: boolean; faults: unknown[] }[] }
    expect(seats[0]).toMatchObject({ removed: false, faults: [] })
  })
})

/** The Python package, zipped as the kit says. */
function packed(home: string): string {
  const own = readdirSync(home).filter((name) => /\.(py|json)$/.test(name) && name !== 'package.json')
  const zip = join(home, 'mine.zip')
  writeFileSync(zip, writeZip(new Map(own.map((name) => [name, readFileSync(join(home, name))]))))
  return zip
}

test('a kit for a folder is the same files; nothing that is there is written over', async () => {
  const out = join(folder, 'as-folder')
  expect(await run('kit', 'javascript', '--out', out)).toMatchObject({ code: 0 })
  expect(readdirSync(out).sort()).toEqual(readdirSync(join(folder, 'javascript')).sort())
  expect(await run('kit', 'javascript', '--out', out)).toMatchObject({ code: 2 })
  const before = readFileSync(join(folder, 'javascript.zip'))
  const again = await run('kit', 'javascript', '--out', join(folder, 'javascript.zip'))
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') as string })
  expect(readFileSync(join(folder, 'javascript.zip'))).toEqual(before)
  expect(await run('kit', 'cobol', '--out', join(folder, 'cobol'))).toMatchObject({ code: 2 })
})
