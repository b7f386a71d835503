import { expect, test } from 'vitest'
import { until } from '../../../main/app/sample-term/class-room.ts'

test('a step of the sample term that does not end is given up with a sentence that names it', async () => {
  const looks: string[] = []
  const never = until(
    'The contest cup',
    () => {
      looks.push('look')
      return Promise.resolve(null)
    },
    -1,
  )
  await expect(never).rejects.toMatchObject({
    ...{ kind: 'host', code: 'step-stopped' },
    message: expect.stringContaining('The contest cup') as string,
  })
  expect(looks).toEqual(['look'])
})

test('a step is looked at until it has ended', async () => {
  let looks = 0
  expect(await until('The contest cup', () => Promise.resolve(++looks === 3 ? looks : null))).toBe(3)
})
