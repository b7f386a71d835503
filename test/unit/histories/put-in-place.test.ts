import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renamed, renamedSync } from '../../../main/histories/put-in-place.ts'

const held = (): Error => Object.assign(new Error('held'), { code: 'EPERM' })

/** A system on which another program holds the file for some tries. */
function holding(tries: number): { readonly moved: string[]; move(from: string, to: string): Promise<void> } {
  const moved: string[] = []
  return {
    moved,
    async move(from, to) {
      if (tries-- > 0) throw held()
      moved.push(`${from} over ${to}`)
    },
  }
}

test('a file that a scanner of Windows holds for a moment is replaced all the same', async () => {
  const { moved, move } = holding(2)
  await renamed('new', 'class.json', 'win32', move)
  expect(moved).toEqual(['new over class.json'])
})

test('elsewhere a refusal is one of rights, and is told at once', async () => {
  const { moved, move } = holding(1)
  await expect(renamed('new', 'class.json', 'linux', move)).rejects.toMatchObject({ code: 'EPERM' })
  expect(moved).toEqual([])
})

test('another error is told at once on Windows, too', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  await expect(renamed('new', 'class.json', 'win32', () => Promise.reject(full))).rejects.toBe(full)
})

test('where the caller cannot wait for a promise, it is the same', () => {
  let left = 2
  const moved: string[] = []
  const move = (from: string, to: string): void => {
    if (left-- > 0) throw held()
    moved.push(`${from} over ${to}`)
  }
  expect(() => renamedSync('new', 'class.key', 'linux', move)).toThrow('held')
  renamedSync('new', 'class.key', 'win32', move)
  expect(moved).toEqual(['new over class.key'])
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  const fails = (): never => {
    throw full
  }
  expect(() => renamedSync('new', 'class.key', 'win32', fails)).toThrow(full)
})

/** Files that rename by themselves, and why. */
const others: Readonly<Record<string, string>> = {
  'desktop/window-state.ts': 'forgets a state that cannot be kept',
  'players/inside/folder-access.ts': "runs in the agent's process",
  'players/isolation/runtime.ts': 'makes files for boxes, which Windows has not',
  'services/files/log-file.ts': 'goes on writing where the log cannot be put away',
  'histories/put-in-place.ts': 'is the one that waits',
}

test('the program renames by what waits for files that are held', () => {
  const main = join(import.meta.dirname, '../../../main')
  const files = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const renaming = files.filter((name) =>
    /import \{[^}]*\brename(Sync)?\b[^}]*\} from 'node:fs/.test(readFileSync(join(main, name), 'utf8')),
  )
  expect(new Set(renaming.map((name) => name.replaceAll('\\', '/')))).toEqual(new Set(Object.keys(others)))
})
