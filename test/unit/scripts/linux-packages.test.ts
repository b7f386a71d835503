import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const lacks = process.platform !== 'linux' || spawnSync('dpkg-deb', ['--version']).error !== undefined

function appFolder(base: string): string {
  const app = join(base, 'linux-unpacked')
  mkdirSync(join(app, 'resources'), { recursive: true })
  for (const name of ['tartaglia', 'chrome-sandbox', 'resources/app.asar']) writeFileSync(join(app, name), name)
  for (const name of ['tartaglia', 'chrome-sandbox']) chmodSync(join(app, name), 0o755)
  return app
}
const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'scripts', ...args.slice(0, 1)), ...args.slice(1)], { encoding: 'utf8' })

test.skipIf(lacks)(
  'tar.gz and deb of the app: its files, what opens with it, and a list of sums (needs dpkg-deb)',
  () => {
    const base = temporaryFolder('linux-packages')
    const [app, out] = [appFolder(base), join(base, 'out')]
    const [tar = '', deb = ''] = run('linux-packages.mjs', '--app', app, '--out', out, '--quick').trim().split('\n')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

    const listed = execFileSync('tar', ['-tzf', tar], { encoding: 'utf8' }).trim().split('\n')
    const inner = `tartaglia-${version}-linux-${process.arch}`
    for (const name of ['tartaglia', 'chrome-sandbox', 'resources/app.asar'])
      expect(listed).toContain(`${inner}/${name}`)

    const field = (name: string): string => execFileSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).trim()
    expect([field('Package'), field('Version')]).toEqual(['tartaglia', version])
    expect(field('Depends')).toContain('libnss3')
    expect(field('Description').split('\n')).toHaveLength(2)
    const content = execFileSync('dpkg-deb', ['-c', deb], { encoding: 'utf8' })
    expect(content).toMatch(/^-rwsr-xr-x root\/root .* \.\/opt\/Tartaglia\/chrome-sandbox$/m)
    expect(content).toMatch(/ \.\/usr\/bin\/tartaglia -> \/opt\/Tartaglia\/tartaglia$/m)
    expect(content).not.toMatch(/^.{10} (?!root\/root)/m)
    // The folder that was packed is as it was.
    expect(statSync(join(app, 'chrome-sandbox')).mode & 0o7777).toBe(0o755)

    const unpacked = join(base, 'unpacked')
    execFileSync('dpkg-deb', ['-x', deb, unpacked])
    const desktop = readFileSync(join(unpacked, 'usr/share/applications/tartaglia.desktop'), 'utf8')
    const types = readFileSync(join(unpacked, 'usr/share/mime/packages/tartaglia.xml'), 'utf8')
    const builder = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    // Both ways of packing register the same files and links.
    const opened = [...builder.matchAll(/ext: (\w+)[\s\S]*?mimeType: (\S+)/g)].map(
      ([, ext, type]) => [ext, type] as const,
    )
    expect(opened.length).toBe(2)
    for (const [ext, type] of opened) {
      expect(desktop).toContain(`${type};`)
      expect(types).toMatch(new RegExp(`type="${type}">[\\s\\S]*?glob pattern="\\*\\.${ext}"`))
    }
    expect(desktop).toContain('x-scheme-handler/tartaglia;')
    expect(desktop).toMatch(/^Exec=\/opt\/Tartaglia\/tartaglia %U$/m)

    run('checksums.mjs', out)
    expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out }).status).toBe(0)
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')).toHaveLength(2)
  },
)

test.skipIf(lacks)('without an app there is nothing to pack, in one sentence', () => {
  const script = join(root, 'scripts', 'linux-packages.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, '--app', temporaryFolder('no-app')], {
    encoding: 'utf8',
  })
  expect([status, stderr.trim().split('\n').length]).toEqual([3, 1])
})
