import { build, Platform } from 'electron-builder'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const script = pathToFileURL(join(root, 'scripts/package-manifest.mjs')).href
const { packageManifest, packagingEnvironment } = (await import(script)) as {
  packageManifest: (platform: string) => object
  packagingEnvironment: (env: Record<string, string>) => Record<string, string>
}
let folder = ''
beforeEach(() => {
  folder = temporaryFolder('package')
  for (const name of ['app', 'unpacked/resources']) mkdirSync(join(folder, name), { recursive: true })
})

/**
 * The arguments with which electron-builder would call fpm, after its own checks: electron-builder.yml by its schema, and the fields that a deb
 * must say. fpm, which is fetched from elsewhere, is not run.
 */
async function wordsForFpm(manifest: object): Promise<readonly string[]> {
  writeFileSync(join(folder, 'app', 'package.json'), JSON.stringify(manifest))
  let words: readonly string[] = []
  await build({
    projectDir: root,
    config: { directories: { app: join(folder, 'app'), output: join(folder, 'out') } },
    targets: Platform.LINUX.createTarget(['deb']),
    prepackaged: join(folder, 'unpacked'),
    publish: 'never',
    effectiveOptionComputed: ([args]: readonly [readonly string[]]) => {
      words = args
      return Promise.resolve(true)
    },
  })
  return words
}

const after = (words: readonly string[], option: string): string | undefined => words[words.indexOf(option) + 1]

test.skipIf(process.platform !== 'linux')(
  'a deb says all that it must (needs Linux)',
  { timeout: 120_000 },
  async () => {
    const words = await wordsForFpm(packageManifest('linux'))
    expect(after(words, '--name')).toBe('tartaglia')
    expect(after(words, '--license')).toBe('MIT')
    // Debian's own form of a maintainer; nobody's address, nobody's host.
    expect(after(words, '--maintainer')).toMatch(/^[^<>]+ <[^@<>\s]+@localhost>$/)
    expect(after(words, '--url')).toMatch(/^file:\/\/\/opt\/Tartaglia\//)
    expect(words.some((word) => word.endsWith('/=/opt/Tartaglia'))).toBe(true)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a deb without a homepage is refused, which is why there is one (needs Linux)',
  { timeout: 120_000 },
  async () => {
    await expect(wordsForFpm({ ...packageManifest('linux'), homepage: undefined })).rejects.toThrow('homepage')
  },
)

test('empty keys for signing are left out', () => {
  const empty = { CSC_LINK: '', CSC_KEY_PASSWORD: '', WIN_CSC_LINK: '', APPLE_API_KEY: '' }
  expect(packagingEnvironment({ ...empty, CSC_NAME: 'ours', PATH: '' })).toEqual({ CSC_NAME: 'ours', PATH: '' })
})

test('no file of a release has a space in its name, which would be another one on its page', () => {
  const builder = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
  expect(builder).toMatch(/^productName: \S+$/m)
  // The usual names of the other targets have none but in that of the product.
  expect(builder).toMatch(/^nsis:\n(?: .*\n)*? {2}artifactName: \S+$/m)
})
