import { expect, test } from 'vitest'
import { freshText } from '../../../main/arenas/haggle/daily-arena.ts'

test('a text is made once a version, whoever asks, and is never stale', async () => {
  let version = 0
  let made = 0
  const text = freshText(
    () => `${++made} of ${version}`,
    () => version,
  )
  expect(await Promise.all([text(), text(), text()])).toEqual(['1 of 0', '1 of 0', '1 of 0'])
  expect(await text()).toBe('1 of 0')
  version = 1
  const asked = [text(), text()]
  version = 2
  expect(await Promise.all(asked)).toEqual(['2 of 2', '2 of 2'])
})

test('an error reaches who asked, and the next one asks anew', async () => {
  let broken = true
  const text = freshText(
    () => {
      if (broken) throw new Error('broken')
      return 'well'
    },
    () => 0,
  )
  await expect(text()).rejects.toThrow('broken')
  broken = false
  expect(await text()).toBe('well')
})
