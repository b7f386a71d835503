import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { namesState } from '../../../main/contract/people/locked-names.ts'
import { pseudonymWords } from '../../../main/contract/people/pseudonyms.ts'
import { setPseudonyms } from '../../../main/services/pseudonyms/pseudonyms.ts'
import { PASSPHRASE, TEAM, classesWithNames, inClass } from './class-with-names.ts'

const { classWithNames } = classesWithNames()

test('pseudonyms that are drawn while names are locked have no word of a name, and a missing word names nobody', async () => {
  const data = classWithNames()
  const [firsts, seconds] = pseudonymWords
  // Half of the roster's words could be drawn if the placeholders were asked.
  const surnames = seconds.slice(0, 32)
  await inClass(data, async (home) => {
    await home.change(({ people, teams, agents }) => {
      for (const [at, surname] of surnames.entries()) {
        const id = at.toString(16).padStart(16, '1')
        people.push({ ...people[0]!, id, name: `Zoe ${surname}`, email: `${id}@example.org`, ids: {} })
        teams.push({ id, name: `Team ${at}`, members: [id], formed: '2026-11-01T00:00:00.000Z' })
      }
      agents.length = 0
    })
    await home.setPassphrase(null, PASSPHRASE)
    // Each writing has the same words: who compares two learns nothing.
    await home.change(({ people }) => void (people[0]!.section = 'B'))
  })
  const { names: lock } = JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }
  const missing = [...firsts, ...seconds].filter((word) => !lock.drawn.includes(word))
  expect(lock.drawn.filter((word) => surnames.includes(word))).toEqual([])
  expect(missing.filter((word) => !surnames.includes(word)).length).toBeGreaterThan(10)
  await inClass(data, async (home) => {
    expect(namesState(home.content)).toBe('locked')
    await setPseudonyms(home, true)
    const drawn = home.content.teams.filter(({ id }) => id !== TEAM).flatMap(({ name }) => name.split(' '))
    expect(drawn.length).toBe(2 * surnames.length)
    expect(drawn.filter((word) => !lock.drawn.includes(word))).toEqual([])
    const kept = JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }
    expect(kept.names.drawn).toEqual(lock.drawn)
  })
})

test('two files of a locked class do not tell the word of a name that came between them, and later names change no words', async () => {
  const data = classWithNames()
  const drawn = (): readonly string[] =>
    (JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }).names.drawn
  const add = (home: ClassFolder, name: string) =>
    home.change(({ people }) => {
      const id = people.length.toString(16).padStart(16, '1')
      people.push({ ...people[0]!, id, name, email: `${id}@example.org`, ids: {} })
    })
  await inClass(data, (home) => home.setPassphrase(null, PASSPHRASE))
  const first = drawn()
  const word = first.at(-1)!
  await inClass(data, async (home) => {
    await home.unlock(PASSPHRASE)
    await add(home, `Zoe ${word}`)
    const next = drawn()
    expect(next).not.toContain(word)
    expect(first.filter((each) => !next.includes(each)).length).toBeGreaterThan(5)
    await add(home, 'Zoe Lovelace')
    expect(drawn()).toEqual(next)
  })
})
