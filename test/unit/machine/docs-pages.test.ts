import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { exportDocs } from '../../../main/services/machine/docs-pages.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder = ''
let source = ''
beforeEach(() => {
  folder = temporaryFolder('docs-pages')
  source = join(folder, 'source')
  mkdirSync(join(source, 'games'), { recursive: true })
  writeFileSync(join(source, 'index.html'), 'contents')
  writeFileSync(join(source, 'games', 'cows.html'), 'cows')
  writeFileSync(join(source, 'site.js'), 'x')
  writeFileSync(join(source, 'site.js.br'), 'packed')
  writeFileSync(join(source, 'texts.js.br'), brotliCompressSync('texts'))
})
const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()

const list = 'documentation-files.json'

test('the pages are written into a new folder, and over an earlier export of theirs', () => {
  const to = join(folder, 'new', 'docs')
  expect(exportDocs(to, source)).toEqual({ folder: to, pages: 2, files: 4, bytes: 18 })
  expect(filesIn(to)).toEqual([list, 'games', 'games/cows.html', 'index.html', 'site.js', 'texts.js'])
  expect(readFileSync(join(to, 'texts.js'), 'utf8')).toBe('texts')
  writeFileSync(join(to, 'index.html'), 'of an older version')
  exportDocs(to, source)
  expect(readFileSync(join(to, 'index.html'), 'utf8')).toBe('contents')
})

test('an export of another version is replaced, and its list reaches nothing outside of the folder', () => {
  const to = join(folder, 'docs')
  exportDocs(to, source)
  rmSync(join(source, 'games'), { recursive: true })
  writeFileSync(join(source, 'new.html'), 'new')
  exportDocs(to, source)
  const left = [list, 'index.html', 'new.html', 'site.js', 'texts.js']
  expect(filesIn(to)).toEqual(left)
  const outside = join(folder, 'mine.html')
  writeFileSync(outside, 'mine')
  const files = ['../mine.html', 'x/../../mine.html', '..\\mine.html', outside]
  writeFileSync(join(to, list), JSON.stringify({ documentation: 'tartaglia', files }))
  exportDocs(to, source)
  expect([filesIn(to), existsSync(outside)]).toEqual([left, true])
  // A list of something else names files of somebody else.
  writeFileSync(join(to, 'own.html'), 'own')
  writeFileSync(join(to, list), JSON.stringify(['own.html']))
  expect(() => exportDocs(to, source)).toThrow(refusal('file-exists', join(to, 'own.html')))
})

test('a folder with something else, and what is not a folder, stay as they are', () => {
  const to = join(folder, 'full')
  mkdirSync(join(to, 'games'), { recursive: true })
  writeFileSync(join(to, 'games', 'mine.html'), 'mine')
  const mine = join(to, 'games', 'mine.html')
  expect(() => exportDocs(to, source)).toThrow(refusal('file-exists', mine))
  expect(filesIn(to)).toEqual(['games', 'games/mine.html'])
  expect(() => exportDocs(mine, source)).toThrow(refusal('file-exists', mine))
  expect(readFileSync(mine, 'utf8')).toBe('mine')
})

test('an export of before there were lists is refused with its own sentence, and stays as it is', () => {
  const to = join(folder, 'old')
  writeFileSync(join(source, 'search-texts.js'), 'search')
  exportDocs(to, source)
  rmSync(join(to, list))
  // With the files of this version alone it is replaced like any other.
  exportDocs(to, source)
  writeFileSync(join(to, 'gone.html'), 'gone')
  const messageIn = (): string => {
    const before = filesIn(to)
    try {
      exportDocs(to, source)
    } catch (error) {
      expect(error).toEqual(refusal('file-exists', 'gone.html'))
      expect(filesIn(to)).toEqual(before)
      return String(error)
    }
    throw new Error('it was not refused')
  }
  const listed = messageIn()
  rmSync(join(to, list))
  expect(messageIn()).not.toBe(listed)
})

test.skipIf(process.platform === 'win32')('nothing is written through a link (needs symbolic links)', () => {
  const [to, elsewhere] = [join(folder, 'linked'), join(folder, 'elsewhere')]
  mkdirSync(to)
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(to, 'games'))
  expect(() => exportDocs(to, source)).toThrow(refusal('file-exists', join(to, 'games')))
  expect([readdirSync(elsewhere), existsSync(join(to, 'index.html'))]).toEqual([[], false])
})
