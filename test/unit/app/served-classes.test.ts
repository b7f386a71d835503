import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { createServedClasses } from '../../../main/app/served-classes.ts'
import { noContests, noHandIns, type ClassFigures } from '../../../main/operator/class-metrics.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const quiet: ClassFigures = {
  ...{ contests: noContests, handIns: noHandIns, matchesLeft: 0, matchesFinished: 0, attemptsVoid: 0 },
  ...{ contestsFailed: 0, arriving: 0, queued: 0, sessions: 0, screens: 0 },
  ...{ diskFree: null, backupAt: null, backupFails: null, areNamesLocked: false },
}

const folder = temporaryFolder('served-classes')
async function classIn(name: string): Promise<string> {
  const data = join(folder, name)
  const home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.school = name))
  await home.close()
  return data
}

test('classes that were opened from the first one close together, and none is opened while they do', async () => {
  const [first, second, third] = await Promise.all([classIn('first'), classIn('second'), classIn('third')])
  const link = join(folder, 'link')
  symlinkSync(first, link)
  const closing: string[] = []
  const bothClose = Promise.withResolvers<null>()
  const { shelf, figures, close } = createServedClasses({ data: first, newAddress: () => 'first' }, async (data) => ({
    service: { figures: () => Promise.resolve({ ...quiet, screens: data === second ? 2 : 3 }) },
    newAddress: () => data,
    async close() {
      closing.push(data)
      if (closing.length === 2) bothClose.resolve(null)
      await bothClose.promise
    },
  }))
  expect([await shelf.open({ folder: first }, second), await shelf.open({ folder: first }, third)]).toEqual([
    second,
    third,
  ])
  // Another path leads to the first class, which is served already.
  expect(await shelf.open({ folder: second }, link)).toBe('first')
  expect((await figures()).map(({ screens }) => screens)).toEqual([2, 3])
  await close()
  expect(closing.toSorted()).toEqual([second, third].toSorted())
  await expect(shelf.open({ folder: first }, second)).rejects.toEqual(refusal('classroom-closed'))
})

test('figures do not wait for a class that is being opened, nor need those of a class that cannot tell them', async () => {
  const [first, second, third] = await Promise.all([classIn('one'), classIn('two'), classIn('three')])
  const opening = Promise.withResolvers<never>()
  const isAsked = Promise.withResolvers<null>()
  const { shelf, figures } = createServedClasses({ data: first, newAddress: () => 'one' }, (data) => {
    if (data === second)
      return Promise.resolve({
        service: { figures: () => Promise.reject(new Error('closed')) },
        newAddress: () => data,
        close: () => Promise.resolve(),
      })
    isAsked.resolve(null)
    return opening.promise
  })
  await shelf.open({ folder: first }, second)
  const waiting = shelf.open({ folder: first }, third)
  await isAsked.promise
  expect(await figures()).toEqual([])
  opening.reject(new Error('damaged'))
  await expect(waiting).rejects.toThrow('damaged')
})
