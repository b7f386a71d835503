import { expect, test } from 'vitest'
import { droppedFiles, givenFiles } from '../../../renderer/parts/files/given-files.ts'

type Tree = Readonly<Record<string, string | object>>

/** An entry as browsers hand it over: folders tell two entries at a time. */
function entryOf(name: string, content: string | object, above = ''): FileSystemEntry {
  const fullPath = `${above}/${name}`
  const common = { name, fullPath, isFile: typeof content === 'string', isDirectory: typeof content !== 'string' }
  if (typeof content === 'string') {
    const file = (found: (file: File) => void): void => found(new File([content], name))
    return { ...common, file } as unknown as FileSystemEntry
  }
  const createReader = () => {
    const left = Object.entries(content as Tree).map(([each, below]) => entryOf(each, below, fullPath))
    return { readEntries: (found: (some: FileSystemEntry[]) => void) => found(left.splice(0, 2)) }
  }
  return { ...common, createReader } as unknown as FileSystemEntry
}

const dropOf = (tree: Tree): DataTransfer => {
  const items = Object.entries(tree).map(([name, content]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, content),
    getAsFile: () => (typeof content === 'string' ? new File([content], name) : null),
  }))
  return { items } as unknown as DataTransfer
}

test('files and folders that are dropped give all files, with their folders, in order', async () => {
  const students = {
    bert: { 'agent.js': 'b' },
    anna: { 'agent.js': 'a', lib: { 'z.js': 'z' } },
    cleo: { 'agent.js': 'c' },
  }
  const litter = { '.git': { config: '' }, '.DS_Store': '', node_modules: { 'x.js': '' }, __MACOSX: { 'y.js': '' } }
  const { files: given, more } = await droppedFiles(dropOf({ 'one.js': '1', '7b': { ...students, ...litter } }))
  expect(more).toBe(false)
  expect(given.map(({ path }) => path)).toEqual([
    'one.js',
    '7b/anna/agent.js',
    '7b/anna/lib/z.js',
    '7b/bert/agent.js',
    '7b/cleo/agent.js',
  ])
  expect(await Promise.all(given.map(({ file }) => file.text()))).toEqual(['1', 'a', 'z', 'b', 'c'])
})

test('a whole disk is not gone through, and the zone learns that there is more', async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${at}.js`, '']))
  let deep: Tree = { 'deep.js': '' }
  for (let at = 0; at < 20; at++) deep = { folder: deep }
  const { files, more } = await droppedFiles(dropOf({ many, deep }))
  expect([files.length, more]).toEqual([500, true])
  expect(await droppedFiles(dropOf({ deep }))).toEqual({ files: [], more: true })
})

test('a chosen folder is taken without hidden files and packages, like a dropped one', () => {
  const chosen = (path: string): File =>
    Object.defineProperty(new File([''], path.split('/').at(-1)!), 'webkitRelativePath', { value: path })
  const paths = ['7b/anna/agent.js', '7b/.git/config', '7b/node_modules/x/index.js', '7b/.DS_Store']
  expect(givenFiles(paths.map(chosen)).files.map(({ path }) => path)).toEqual(['7b/anna/agent.js'])
  expect(givenFiles([new File([''], '.hidden.js')]).files).toHaveLength(1)
})
