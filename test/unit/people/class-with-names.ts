import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

export const PASSPHRASE = 'four words and a lamp'
export const ADA = 'a'.repeat(16)
export const TEAM = 'b'.repeat(16)
/** Everything in the class of `classesWithNames` that names somebody. */
export const names = [
  'Ada Lovelace',
  'ada@example.org',
  '004711',
  'Analysts',
  "Ada's best",
  'by Ada, in haste',
  'Ada is ill',
]

/** Copies of one class, which is made before the tests of a file: with names in the clear, and locked with `PASSPHRASE`. */
export function classesWithNames(): { classWithNames(): string; locked(): string } {
  let plain: string
  let lockedOnce: string
  beforeAll(async () => {
    plain = await madeClass()
    lockedOnce = copyOf(plain)
    await inClass(lockedOnce, (home) => home.setPassphrase(null, PASSPHRASE))
  })
  return { classWithNames: () => copyOf(plain), locked: () => copyOf(lockedOnce) }
}

function copyOf(folder: string): string {
  const data = temporaryFolder('passphrase')
  cpSync(folder, data, { recursive: true })
  return data
}

/** A class with a name in each place that a passphrase locks, and with a copy of a former day. */
async function madeClass(): Promise<string> {
  const data = temporaryFolder('passphrase')
  const at = '2026-11-01T00:00:00.000Z'
  await inClass(data, async (home) => {
    await home.change((content) => {
      const marks = { email: 'ada@example.org', ids: { school: '004711' }, section: 'Analysts' }
      content.people.push({ id: ADA, name: 'Ada Lovelace', ...marks, role: 'student', added: at })
      content.teams.push({ id: TEAM, name: 'Amber Heron', called: "Ada's best", members: [ADA], formed: at })
      content.agents.push({
        ...{ hash: 'c'.repeat(64), owner: TEAM, submitted: at, smoke: null },
        manifest: { name: 'Amber Heron', team: 'Amber Heron', game: 'specker', kind: 'script' },
        handIn: { receipt: 1, by: ADA, contest: null, time: 'on-time', note: 'by Ada, in haste' },
      })
      content.extensions.push({
        ...{ of: { who: 'person', person: ADA }, contest: 'cup-1', reason: 'Ada is ill', by: null, at },
        until: '2026-11-02T00:00:00.000Z',
      })
    })
    // The first write of a day copies what was there before it.
    await home.change((content) => void (content.settings.tourSeen = true))
  })
  return data
}

/** Those of some words that are in a file of a folder, or in its name. */
export function namesIn(folder: string, words: readonly string[] = names): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files.map((name) => {
    const path = join(folder, name)
    return name + (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')
  })
  return words.filter((word) => texts.some((text) => text.includes(word)))
}

/** The name of the copy of a day in a class, which has one. */
export const dayCopy = (data: string): string => {
  const [copy] = readdirSync(join(data, 'class-copies'))
  return copy!
}

/** Opens a class for some work, and closes it. */
export async function inClass(data: string, work: (home: ClassFolder) => Promise<void>): Promise<void> {
  const home = await openClassFolder(data)
  try {
    await work(home)
  } finally {
    await home.close()
  }
}
