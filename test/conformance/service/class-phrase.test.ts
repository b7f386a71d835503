import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContestDraft } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn } from './handed-in.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-phrase')
let room: Room
let entrants: ContestDraft['entrants']

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  entrants = await handIn(room, ['baby', 'greedy', 'sampler'])
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

test('a contest of the window waits for the phrase of the class, and shows it beside its commitment', async () => {
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants, { classPhrase: true }) })
  const { reveal } = await room.call('contests.get', { contest })
  expect(reveal).toMatchObject({ phrase: null, seed: null, nonce: null })
  await expect(room.call('contests.start', { contest })).rejects.toThrow(
    refusal('phrase-missing', contest, reveal.commitment),
  )
  await room.call('contests.start', { contest, phrase: 'sixteen cows' })
  const ended = await room.until(contest, ({ summary }) => summary.state === 'ended')
  expect(ended.reveal).toMatchObject({ commitment: reveal.commitment, phrase: 'sixteen cows', seed: 'Brescia, 1512' })
  await expect(room.call('contests.start', { contest, phrase: 'seventeen cows' })).rejects.toThrow(
    refusal('contest-over', 'Service contest', 'ended'),
  )

  const verdict = await room.call('histories.verify', { source: { from: 'contest', contest, match: 0 } })
  expect(verdict.ok && verdict.checked.join(' ')).toEqual(saying('phrase "sixteen cows"'))
})

test('a phrase is given once, and only where it is asked for', async () => {
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Plain' }) })
  await expect(room.call('contests.start', { contest, phrase: 'a herd' })).rejects.toThrow(
    refusal('phrase-not-expected', contest),
  )

  const draft = draftOf(entrants, { title: 'Twice', classPhrase: true, format: { type: 'round-robin', repeats: 40 } })
  const asked = await room.call('contests.create', { draft })
  await room.call('contests.start', { ...asked, phrase: 'a herd' })
  await room.call('contests.pause', asked)
  await expect(room.call('contests.start', { ...asked, phrase: 'another herd' })).rejects.toThrow(
    refusal('phrase-given', asked.contest, 'a herd'),
  )
  await room.call('contests.start', asked)
  await room.call('contests.cancel', asked)
  const { reveal } = await room.call('contests.get', asked)
  expect(reveal).toMatchObject({ phrase: 'a herd', seed: null })
})
