import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RerunWish } from '../../../main/contract/evidence/dossier-procedures.ts'
import type { DossierItem } from '../../../main/contract/evidence/dossiers.ts'
import type { Caller } from '../../../main/contract/people/caller.ts'
import { checkDossierFile } from '../../../main/services/evidence/dossier-command.ts'
import { refusal } from '../../refusal.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn } from './handed-in.ts'

const place = openPlace('service-dossier-reruns')
let room: Room
let dossier: string
/** An event in it, of a match of greedy against baby. */
let item: string
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
  const entrants = await handIn(room, ['greedy', 'baby'])
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants) })
  await room.call('contests.start', { contest })
  await room.until(contest, ({ summary }) => summary.state === 'ended')
  dossier = (await room.call('dossiers.make', { title: 'Evidence' })).dossier
  const { entries } = await room.call('dossiers.keep', { dossier, contest, match: 0, move: 1, part: null })
  item = entries[0]!.id
}, 240_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

/** One that the class accepts. */
const tier = expect.stringMatching(/^(bubblewrap|permission)$/) as string
type Again = DossierItem & { readonly kind: 'asked-again' }
type Played = DossierItem & { readonly kind: 'played-again' }
const wish = (seat: number, agent: string | null, what: 'decision' | 'match' = 'decision'): RerunWish => ({
  dossier,
  item,
  request: randomUUID(),
  again: what,
  seat,
  agent,
})
async function again(seat: number, agent: string | null): Promise<Again> {
  const { entries } = await room.call('dossiers.rerun', wish(seat, agent))
  const last = entries.at(-1)
  if (last?.kind !== 'asked-again') throw new Error('no answer was added')
  return last
}

test('the version that played answers as recorded, another one otherwise, and the download with both is genuine', async () => {
  const offer = await room.call('dossiers.rerunOffer', { dossier, item })
  expect(offer.seats.map(({ name }) => name).toSorted()).toEqual(['baby', 'greedy'])
  const [first] = offer.seats
  const pinned = await again(0, null)
  expect(pinned).toMatchObject({ agent: first!.agent, name: first!.name, isPinned: true, isolation: tier })
  expect(pinned).toMatchObject({ same: true, differs: null, failed: null, instead: [] })
  expect(pinned.asked.length).toBeGreaterThan(0)
  for (const { message, recorded, given } of pinned.asked) {
    expect(JSON.parse(message)).toBeTypeOf('object')
    expect(recorded).not.toBeNull()
    expect(given).toBe(recorded)
  }
  const content = 'module.exports = class { turn() { throw new Error("no idea") } }'
  const { versions } = await room.submit({ fileName: 'silent.js', content, game: 'specker', wait: false })
  const { agent } = versions[0]!
  const other = await again(0, agent)
  expect(other).toMatchObject({ agent, name: 'silent', isPinned: false, same: false })
  expect(other.failed).toMatchObject({ text: expect.stringContaining('no idea') as string })
  expect(other.reference).toEqual(pinned.reference)

  const { download } = await room.call('dossiers.download', { dossier })
  const pieces: Buffer[] = []
  for (let last = false; !last;) {
    const piece = await room.call('downloads.piece', { download })
    pieces.push(Buffer.from(piece.content, 'base64'))
    last = piece.last
  }
  const zip = join(place.folder, 'dossier.zip')
  writeFileSync(zip, Buffer.concat(pieces))
  const report = await checkDossierFile(zip, [], room.data)
  expect(report).toMatchObject({ verdict: 'genuine', problem: null })
  expect(report.dossier?.items.map(({ kind }) => kind)).toEqual(['event', 'asked-again', 'asked-again'])
})

test('a student asks the agents of their own team in place of others, and a version that played', async () => {
  const student: Caller = { role: 'student', person: 'f'.repeat(16), team: null, session: null, isTerminal: false }
  const { seats, agents } = await room.service.handlers['dossiers.rerunOffer']({ dossier, item }, student)
  expect(agents.decision.every(({ shipped }) => shipped)).toBe(true)
  expect(agents.match).toEqual([])
  // An agent of the class that is neither theirs nor shipped.
  const content = 'module.exports = class { turn() { return [] } }'
  const { versions } = await room.submit({ fileName: 'own.js', content, game: 'specker', wait: false })
  const { agent } = versions[0]!
  const refused = room.service.handlers['dossiers.rerun'](wish(1, agent), student)
  await expect(refused).rejects.toThrow(refusal('agent-unknown'))
  const match = room.service.handlers['dossiers.rerun'](wish(1, seats[0]!.agent, 'match'), student)
  await expect(match).rejects.toThrow(refusal('agent-unknown'))
  const { entries } = await room.service.handlers['dossiers.rerun'](wish(1, seats[1]!.agent), student)
  expect(entries.at(-1)).toMatchObject({ kind: 'asked-again', isPinned: true, same: true })
})

test('the match is played again with the versions that played, and with another one in place of one of them', async () => {
  const played = async (seat: number, agent: string | null): Promise<Played> => {
    const { entries } = await room.call('dossiers.rerun', wish(seat, agent, 'match'))
    const last = entries.at(-1)
    if (last?.kind !== 'played-again') throw new Error('no match was added')
    return last
  }
  const pinned = await played(1, null)
  expect(pinned).toMatchObject({ isPinned: true, same: true, differs: null, isolation: tier })
  expect(pinned.facts.kind).toBe('outcome')
  // As the result is told, with the same scores.
  expect(pinned.result).toBe(pinned.reference.sentence)
  const content = 'module.exports = class { turn() { throw new Error("no clue") } }'
  const { versions } = await room.submit({ fileName: 'broken.js', content, game: 'specker', wait: false })
  const other = await played(1, versions[0]!.agent)
  expect(other).toMatchObject({ isPinned: false, same: false, name: 'broken', reference: pinned.reference })
  expect(other.differs!.recorded).not.toEqual(other.differs!.again)
  expect(other.result).not.toBe(pinned.result)
})

test('a person has one request at a time, which stops by its id, and nothing is added', async () => {
  const before = (await room.call('dossiers.get', { dossier })).items
  const wishes = [wish(0, null), wish(1, null)]
  const asked = wishes.map((each) => room.call('dossiers.rerun', each))
  const codes = asked.map((each) =>
    each.then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    ),
  )
  // The one that is refused at once.
  expect(await Promise.race(codes)).toBe('busy')
  for (const { request } of wishes) await room.call('dossiers.stopRerun', { dossier, request })
  expect((await Promise.all(codes)).toSorted()).toEqual(['busy', 'stopped'])
  expect((await room.call('dossiers.get', { dossier })).items).toBe(before)
  await expect(room.call('dossiers.rerun', wish(7, null))).rejects.toThrow(refusal('seat-unknown', 7))
})

test('staff sees what is run again for a student, and stops it', async () => {
  const before = (await room.call('dossiers.get', { dossier })).items
  const student: Caller = { role: 'student', person: 'f'.repeat(16), team: null, session: null, isTerminal: false }
  const own = wish(0, null)
  const asked = room.service.handlers['dossiers.rerun'](own, student).then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  )
  const running = async () => (await room.call('home.get', {})).reruns
  await expect
    .poll(running)
    .toEqual([{ request: own.request, name: null, again: 'decision', match: 0, contest: expect.any(String) as string }])
  // Whoever has another dossier does not stop it by that.
  const other = await room.call('dossiers.make', { title: 'Another one' })
  await room.call('dossiers.stopRerun', { dossier: other.dossier, request: own.request })
  expect(await running()).toHaveLength(1)
  await room.call('home.stopRerun', { request: own.request })
  expect(await asked).toBe('stopped')
  expect(await running()).toEqual([])
  expect((await room.call('dossiers.get', { dossier })).items).toBe(before)
  // One that has ended is not an error.
  await room.call('home.stopRerun', { request: own.request })
})
