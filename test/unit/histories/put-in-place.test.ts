import { expect, test } from 'vitest'
import { replaceFile } from '../../../main/histories/put-in-place.ts'

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
  await replaceFile('new', 'class.json', 'win32', move)
  expect(moved).toEqual(['new over class.json'])
})

test('elsewhere a refusal is one of rights, and is told at once', async () => {
  const { moved, move } = holding(1)
  await expect(replaceFile('new', 'class.json', 'linux', move)).rejects.toMatchObject({ code: 'EPERM' })
  expect(moved).toEqual([])
})

test('another error is told at once on Windows, too', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  await expect(replaceFile('new', 'class.json', 'win32', () => Promise.reject(full))).rejects.toBe(full)
})
