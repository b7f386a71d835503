import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const { sbomOf } = (await import(pathToFileURL(join(root, 'scripts/sbom.mjs')).href)) as {
  sbomOf(folders: readonly string[]): string
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

test('the bill has each bundled package once, with licence, address and the hash of the lockfile', () => {
  const [zod, lezer] = ['zod', '@lezer/common'].map((name) => join(root, 'node_modules', name)) as [string, string]
  const text = sbomOf([zod, lezer, zod])
  expect(sbomOf([lezer, zod])).toBe(text)
  const bill = JSON.parse(text) as {
    metadata: { component: object }
    components: readonly { name: string; version: string; purl: string; hashes: readonly { content: string }[] }[]
  }
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bill.metadata.component).toMatchObject({ type: 'application', name: 'tartaglia', version })
  expect(bill.components.map(({ name }) => name)).toEqual(['@lezer/common', 'zod'])
  const [scoped, plain] = bill.components
  expect(scoped!.purl).toBe(`pkg:npm/%40lezer/common@${scoped!.version}`)
  expect(plain).toMatchObject({ licenses: [{ license: { id: 'MIT' } }], 'bom-ref': plain!.purl })
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { integrity: string }>>
  }
  const hex = Buffer.from(locked.packages['node_modules/zod']!.integrity.slice('sha512-'.length), 'base64').toString(
    'hex',
  )
  expect(plain!.hashes).toEqual([{ alg: 'SHA-512', content: hex }])
})

test('a package whose manifest names no licence has the one of its text', () => {
  const folder = temporaryFolder('sbom')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'plain', version: '1.0.0' }))
  const licences = (): unknown =>
    (JSON.parse(sbomOf([folder])) as { components: { licenses: unknown }[] }).components[0]!.licenses
  expect(licences()).toEqual([])
  writeFileSync(join(folder, 'LICENSE'), 'MIT License\n\nCopyright (c) 2024')
  expect(licences()).toEqual([{ license: { id: 'MIT' } }])
})
