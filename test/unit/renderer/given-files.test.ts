import { expect, test } from 'vitest'
import { droppedFiles } from '../../../renderer/parts/files/given-files.ts'

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
  const given = await droppedFiles(dropOf({ 'one.js': '1', '7b': { ...students, ...litter } }))
  expect(given.map(({ path }) => path)).toEqual([
    'one.js',
    '7b/anna/agent.js',
    '7b/anna/lib/z.js',
    '7b/bert/agent.js',
    '7b/cleo/agent.js',
  ])
  expect(await Promise.all(given.map(({ file }) => file.text()))).toEqual(['1', 'a', 'z', 'b', 'c'])
})

test('a whole disk is not gone through', async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${at}.js`, '']))
  let deep: Tree = { 'deep.js': '' }
  for (let at = 0; at < 20; at++) deep = { folder: deep }
  expect(await droppedFiles(dropOf({ many, deep }))).toHaveLength(500)
  expect(await droppedFiles(dropOf({ deep }))).toHaveLength(0)
})
