import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import {
  handInRules,
  handInRulesChange,
  usualBuildLimits,
  usualQuotas,
  type Quotas,
} from '../../../main/contract/people/hand-in.ts'
import { keepFile, keptLimits, openKeptFiles } from '../../../main/services/hand-in/kept-files.ts'
import { createUploadedPackages, ownerLimits } from '../../../main/services/packages/uploaded-packages.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('quotas')
let home: ClassFolder
beforeEach(async () => {
  home = await openClassFolder(folder)
})
afterEach(() => home.close())
const set = (change: Partial<Quotas>): Promise<void> =>
  home.change(({ handInRules: rules }) => void Object.assign(rules.quotas, change))

test('the files of a team have the room that the class sets, from the moment when it sets it', async () => {
  const kept = openKeptFiles(folder, keptLimits(home))
  const team = '0'.repeat(16)
  const keep = (text: string, own: readonly string[]): Promise<string> =>
    keepFile(kept, { fileName: 'a.js', content: Buffer.alloc(700_000, text) }, team, own)
  await set({ teamMegabytes: 1 })
  const first = await keep('a', [])
  await expect(keep('b', [first])).rejects.toThrow(refusal('limit-reached', '1 MB'))
  await set({ teamMegabytes: 2 })
  const second = await keep('b', [first])
  await set({ allMegabytes: 1 })
  await expect(keep('c', [])).rejects.toThrow(refusal('limit-reached'))
  expect(new Set([first, second]).size).toBe(2)
})

test('a person keeps as many uploaded files as the class sets', async () => {
  const uploads = createUploadedPackages(undefined, ownerLimits(home))
  const add = (text: string): Promise<string> =>
    uploads.add(
      'a.js',
      (async function* () {
        yield Buffer.from(text)
      })(),
      'a'.repeat(16),
    )
  const isThere = (handle: string): Promise<boolean> => uploads.read(handle, async () => true).catch(() => false)
  await set({ uploadedFiles: 1 })
  const [one, two] = [await add('1'), await add('2')]
  expect([await isThere(one), await isThere(two)]).toEqual([false, true])
  await set({ uploadedFiles: 2 })
  const three = await add('3')
  expect([await isThere(two), await isThere(three)]).toEqual([true, true])
  await uploads.close()
})

test('a class of an older program has the limits of before, and a change of one rule leaves the others', () => {
  expect(handInRules.parse({ attemptsADay: null, lateDays: 3 })).toEqual({
    ...{ attemptsADay: null, lateDays: 3, practiceADay: 20, playByHand: false },
    ...{ quotas: usualQuotas, builds: usualBuildLimits },
  })
  // Defaults would set back what is not named.
  expect(handInRulesChange.parse({ lateDays: 3 })).toEqual({ lateDays: 3 })
})
