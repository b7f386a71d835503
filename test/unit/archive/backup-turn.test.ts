import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, attemptsOf, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
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
    async inTurn(task) {
      const done = home.inTurn(task)
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
    isInClass: readFileSync(join(folder, 'class.json'), 'utf8').includes('second'),
  }).toEqual({ receipts: 'first\n', attempts: 0, isInClass: false })
  expect(attemptsOf(people, team)).toHaveLength(1)
  for (const each of [copy, people]) closePeopleDatabase(each)
  await home.close()
})
