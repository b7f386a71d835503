import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, attemptsOf, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const team = '1'.repeat(16)

test('class, accounts and receipts of a backup are of one moment: a hand-in that comes meanwhile is in all or in none', async () => {
  const data = join(temporaryFolder('backup-turn'), 'data')
  const home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.school = 'first'))
  const people = openPeopleDatabase(data)
  const chain = join(data, 'receipts/chain.jsonl')
  mkdirSync(join(data, 'receipts'))
  writeFileSync(chain, 'first\n')
  // As a hand-in that waits for its turn writes: receipt, version, state.
  const handIn = async (): Promise<void> => {
    appendFileSync(chain, 'second\n')
    await home.change(({ settings }) => void (settings.school = 'second'))
    const sha256 = '0'.repeat(64)
    const file = { file: 'a.js', sha256, at: 0, wish: { agent: null } }
    const attempt = { team, members: [], person: null, contest: null, game: 'haggle', ...file }
    setAttempt(people, addAttempt(people, attempt), 'waiting')
  }
  const following: Promise<void>[] = []
  const watched: ClassFolder = {
    ...home,
    content: home.content,
    async atRest(task) {
      const done = home.atRest(task)
      following.push(home.inTurn(handIn))
      return done
    },
  }
  const { folder } = await backUp(watched)
  await Promise.all(following)
  const copy = openPeopleDatabase(folder)
  expect({
    receipts: readFileSync(join(folder, 'receipts/chain.jsonl'), 'utf8'),
    attempts: attemptsOf(copy, team).length,
    isInClass: readFileSync(join(folder, 'class.json'), 'utf8').includes('"second"'),
  }).toEqual({ receipts: 'first\n', attempts: 0, isInClass: false })
  expect(attemptsOf(people, team)).toHaveLength(1)
  for (const each of [copy, people]) closePeopleDatabase(each)
  await home.close()
})

test('the contests of a backup are those of its class.json, with their histories', async () => {
  const data = join(temporaryFolder('backup-contests'), 'data')
  const home = await openClassFolder(data)
  const description = contestDescription.parse({
    ...{ title: 'Cup', game: 'haggle', format: { type: 'round-robin', seats: 2, repeats: 2 }, seed: 's' },
    entrants: [{ name: 'a', agent: '0'.repeat(64) }],
  })
  const busy: ClassFolder = {
    ...home,
    get content() {
      return home.content
    },
    // As a hand-in that is stored has the turn first.
    async atRest(task) {
      const [added, nonce] = ['2026-09-14T08:00:00.000Z', '3'.repeat(64)]
      await home.change(({ contests }) => void contests.push({ id: 'cup', description, added, nonce, state: 'open' }))
      mkdirSync(join(data, 'contests/cup'), { recursive: true })
      writeFileSync(join(data, 'contests/cup/history.jsonl'), 'first\n')
      return home.atRest(task)
    },
  }
  const { folder } = await backUp(busy)
  expect(readFileSync(join(folder, 'class.json'), 'utf8')).toContain('"cup"')
  expect(readFileSync(join(folder, 'contests/cup/history.jsonl'), 'utf8')).toBe('first\n')
  await home.close()
})
