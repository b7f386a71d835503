import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { openDossier, unzippedDossier } from '../../../main/services/evidence/open-dossier.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const text = (words: string): Uint8Array => Buffer.from(words)
const zip = (files: Readonly<Record<string, Uint8Array>>): Uint8Array => writeZip(new Map(Object.entries(files)))
const manifest = text('{}')

/** A zip that announces another name for one of its files. */
function renamed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  if (from.length !== to.length) throw new Error('the names differ in length')
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1')
}

test.each([
  [
    'a path out of the folder',
    renamed(zip({ 'manifest.json': manifest, 'aaaaaaaa/x': text('x') }), 'aaaaaaaa/x', '../../../x'),
    'path-leaves-package',
  ],
  [
    'an absolute path',
    renamed(zip({ 'manifest.json': manifest, 'aaaa/x': text('x') }), 'aaaa/x', '/etc/x'),
    'path-absolute',
  ],
  ['a bomb', zip({ 'manifest.json': manifest, 'histories/x.jsonl': new Uint8Array(40 * 1024 * 1024) }), 'archive-bomb'],
  [
    'too many files',
    zip(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`${n}`, text('')]))),
    'archive-too-many-files',
  ],
  ['two manifests', zip({ 'a/manifest.json': manifest, 'b/manifest.json': manifest }), 'dossier-invalid'],
  ['no manifest', zip({ 'index.html': text('x') }), 'dossier-invalid'],
  ['no zip', text('%PDF-1.7'), 'not-a-zip'],
  ['half a zip', zip({ 'manifest.json': manifest }).subarray(0, 30), 'archive-cut-off'],
])('refused with one sentence: %s', (_, bytes, code) => {
  expect(() => unzippedDossier(bytes, 'dossier.zip')).toThrow(expect.objectContaining({ code }) as Error)
})

test('the files of the folder with the manifest count, and others are outside of it', () => {
  const files = unzippedDossier(zip({ 'dossier/manifest.json': manifest, 'dossier/a': text('a'), b: text('b') }), 'x')
  expect([...files.keys()].sort()).toEqual(['../b', 'a', 'manifest.json'])
})

test('links in a folder are not followed', async () => {
  const folder = temporaryFolder('dossier')
  mkdirSync(join(folder, 'rules'))
  writeFileSync(join(folder, 'manifest.json'), '{}')
  writeFileSync(join(dirname(folder), 'secret.txt'), 'secret')
  symlinkSync(join(dirname(folder), 'secret.txt'), join(folder, 'rules', 'x.txt'))
  symlinkSync(dirname(folder), join(folder, 'up'))
  expect([...(await openDossier(folder)).keys()]).toEqual(['manifest.json'])
})
