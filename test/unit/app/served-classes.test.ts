import { symlinkSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { createServedClasses } from '../../../main/app/served-classes.ts'
import { noContests, noHandIns, summedFigures, type ClassFigures } from '../../../main/operator/class-metrics.ts'
import { lockData } from '../../../main/histories/lock.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const quiet: ClassFigures = {
  ...{ contests: noContests, handIns: noHandIns, matchesLeft: 0, matchesFinished: 0, attemptsVoid: 0 },
  ...{ contestsFailed: 0, arriving: 0, queued: 0, sessions: 0, screens: 0 },
  ...{ diskFree: null, backupAt: null, backupFails: null, areNamesLocked: false },
}

const folder = temporaryFolder('served-classes')
const homeOf = (data: string): ClassFolder => ({ folder: data, content: { settings: { school: '' } } }) as ClassFolder

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

test('a class that is opened again while it closes is not opened if the program ends meanwhile', async () => {
  const [first, second, third] = await Promise.all([classIn('ends'), classIn('again'), classIn('later')])
  const closes = Promise.withResolvers<undefined>()
  let served = 0
  const { shelf, close } = createServedClasses({ data: first, newAddress: () => 'first' }, (data) => {
    served += 1
    return Promise.resolve({
      ...{ service: { figures: () => Promise.resolve(quiet) }, newAddress: () => data },
      close: () => closes.promise,
    })
  })
  await shelf.open({ folder: first }, second)
  const closed = shelf.close({ folder: first }, second)
  await expect.poll(async () => (await shelf.get(homeOf(first))).others.every(({ closes: open }) => !open)).toBe(true)
  const opened = shelf.open({ folder: first }, second)
  opened.catch(() => undefined)
  // When one that is looked for later is open, this one waits for its end.
  await shelf.open({ folder: first }, third)
  const ended = close()
  closes.resolve(undefined)
  await Promise.all([closed, ended])
  await expect(opened).rejects.toEqual(refusal('classroom-closed'))
  expect(served).toBe(2)
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

test('a class is served once however it is named, is closed from another one, and can be opened again', async () => {
  const [first, second] = await Promise.all([classIn('alpha'), classIn('beta')])
  const link = join(folder, 'link-to-beta')
  symlinkSync(second, link)
  const events: string[] = []
  const { shelf, close } = createServedClasses({ data: first, newAddress: () => 'first' }, (data) => {
    const held = lockData(data)
    events.push(`served ${data}`)
    return Promise.resolve({
      service: { figures: () => Promise.resolve(quiet) },
      newAddress: () => data,
      close() {
        events.push('closed')
        held.release()
        return Promise.resolve()
      },
    })
  })
  const spellings = [link, `${second}${sep}`, join(second, '..', 'beta'), relative(process.cwd(), second)]
  for (const spelling of spellings) expect(await shelf.open({ folder: first }, spelling)).toBe(link)
  expect(events).toEqual([`served ${link}`])
  const home = homeOf(first)
  expect((await shelf.get(home)).others).toEqual([{ folder: link, name: 'link-to-beta', answers: true, closes: true }])
  // Neither the class of the page nor the first one of the program.
  await expect(shelf.close({ folder: second }, link)).rejects.toEqual(refusal('class-open-already'))
  await shelf.close({ folder: second }, first)
  expect(events.length).toBe(1)

  let changes = 0
  shelf.onChange.add(() => (changes += 1))
  await shelf.close({ folder: first }, second)
  await shelf.close({ folder: first }, second)
  expect([events.at(-1), events.length, changes > 0]).toEqual(['closed', 2, true])
  expect((await shelf.get(home)).others).toEqual([])
  // The lock is free again, also for whoever opens the class while it is being closed.
  expect(await shelf.open({ folder: first }, second)).toBe(second)
  const [, again] = await Promise.all([shelf.close({ folder: first }, link), shelf.open({ folder: first }, link)])
  expect(again).toBe(link)
  await close()
  expect(events.filter((event) => event === 'closed').length).toBe(3)
})

test('the counters of a class go on after it is closed, also when it is opened again', async () => {
  const [first, second] = await Promise.all([classIn('counted'), classIn('counts')])
  let answers = true
  const { shelf, figures, close } = createServedClasses({ data: first, newAddress: () => 'first' }, async (data) => ({
    service: {
      figures: () =>
        answers
          ? Promise.resolve({ ...quiet, matchesFinished: 7, screens: 1 })
          : Promise.reject(new Error('cannot tell')),
    },
    newAddress: () => data,
    close: () => Promise.resolve(),
  }))
  const sums = async () => {
    const { matchesFinished, screens } = summedFigures([quiet, ...(await figures())])
    return [matchesFinished, screens]
  }
  await shelf.open({ folder: first }, second)
  expect(await sums()).toEqual([7, 1])
  await shelf.close(homeOf(first), second)
  expect(await sums()).toEqual([7, 0])
  await shelf.open({ folder: first }, second)
  expect(await sums()).toEqual([14, 1])
  // One that cannot tell its figures any more is not said to have its screens still.
  answers = false
  expect(await sums()).toEqual([14, 0])
  await shelf.close(homeOf(first), second)
  expect([await sums(), (await figures()).length]).toEqual([[14, 0], 1])
  await close()
})
