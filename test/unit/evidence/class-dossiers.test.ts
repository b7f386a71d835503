import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOSSIERS_OF_OWNER_MAX } from '../../../main/contract/evidence/dossiers.ts'
import { hostCaller, type Caller } from '../../../main/contract/people/caller.ts'
import {
  dossiersFor,
  openDossierStore,
  ownerFor,
  reachesDossier,
} from '../../../main/services/evidence/class-dossiers.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const student = (person: string, team: string): Caller => ({
  role: 'student',
  person: person.repeat(16),
  team: team.repeat(16),
  session: 's',
  isTerminal: false,
})
const anna = student('1', 'a')
const ben = student('2', 'a')
const cleo = student('3', 'b')
const assistant: Caller = { ...hostCaller, role: 'assistant', person: '4'.repeat(16) }
const guest: Caller = { ...hostCaller, role: 'guest' }
const everybody: Readonly<Record<string, Caller>> = {
  anna,
  ben,
  cleo,
  assistant,
  host: hostCaller,
  guest,
  seen: { ...anna, isSeen: true },
}
/** Cleo is on the panel of case 2. */
const isOfCase = (id: string, caller: Caller): boolean => id === 'case-2' && caller.person === cleo.person
const class_ = { teams: [], people: [] }
const now = Date.parse('2026-11-28T10:00:00.000Z')

test('a dossier is for the team of its owner, and for those with whom it is shared; nobody who looks as a student finds it', async () => {
  const store = await openDossierStore({ folder: temporaryFolder('dossiers') }, () => now)
  const { id } = await store.make(ownerFor(anna), 'Week 1')
  const reaching = (reach: 'own' | 'public'): readonly string[] =>
    Object.entries(everybody).flatMap(([name, caller]) =>
      reachesDossier(store, isOfCase, reach, id, caller) ? name : [],
    )
  expect([reaching('own'), reaching('public')]).toEqual([
    ['anna', 'ben'],
    ['anna', 'ben'],
  ])
  await store.change(id, { readers: 'staff' })
  expect([reaching('own'), reaching('public')]).toEqual([
    ['anna', 'ben'],
    ['anna', 'ben', 'assistant', 'host'],
  ])
  await store.change(id, { readers: 'case-2' })
  expect([reaching('own'), reaching('public')]).toEqual([
    ['anna', 'ben'],
    ['anna', 'ben', 'cleo'],
  ])
  await store.change(id, { readers: 'case-1' })
  expect(reaching('public')).toEqual(['anna', 'ben'])
  await store.change(id, { readers: 'class' })
  expect(reaching('own')).toEqual(['anna', 'ben'])
  expect(reaching('public')).toEqual(['anna', 'ben', 'cleo', 'assistant', 'host', 'seen'])
  expect(dossiersFor(store, isOfCase, class_, cleo)).toMatchObject([{ dossier: id, isOwn: false, by: 'a former team' }])
})

test('dossiers are kept in files of their own, also by the next start, and a damaged one is left as it is', async () => {
  const folder = temporaryFolder('dossiers')
  const store = await openDossierStore({ folder }, () => now)
  const { id } = await store.make(ownerFor(anna), 'Week 1')
  const kept = await store.add(id, { kind: 'note', text: 'It cheats.' })
  const other = await store.make(ownerFor(cleo), 'Week 2')
  const path = join(folder, 'dossiers', `${other.id}.json`)
  writeFileSync(path, '{')
  const again = await openDossierStore({ folder }, () => now)
  expect(again.all()).toEqual([kept])
  await again.remove(id)
  expect(readdirSync(join(folder, 'dossiers'))).toEqual([`${other.id}.json`])
  expect(readFileSync(path, 'utf8')).toBe('{')
})

test('the dossiers of an owner have a limited size together, whoever of the team writes', async () => {
  const folder = temporaryFolder('dossiers')
  const { id, ...made } = await (await openDossierStore({ folder }, () => now)).make(ownerFor(anna), 'Week 1')
  const note = { kind: 'note', added: made.made, text: 'ä'.repeat(4_000) }
  const items = Array.from({ length: 125 }, () => ({ ...note, id: randomUUID() }))
  for (let copy = 0; copy < 9; copy++) {
    const other = randomUUID()
    writeFileSync(join(folder, 'dossiers', `${other}.json`), JSON.stringify({ ...made, id: other, items }))
  }
  const store = await openDossierStore({ folder }, () => now)
  expect(store.all()).toHaveLength(10)
  await expect(store.add(id, { kind: 'note', text: 'Too much.' })).rejects.toMatchObject({ code: 'limit-reached' })
  await expect(store.make(ownerFor(ben), 'Week 2')).rejects.toMatchObject({ code: 'limit-reached' })
  await store.make(ownerFor(cleo), 'Week 2')
  for (const { id: large } of store
    .all()
    .filter((each) => each.items.length > 0)
    .slice(0, 2))
    await store.remove(large)
  await store.add(id, { kind: 'note', text: 'It fits.' })
})

test('an owner has a limited number of dossiers', async () => {
  const store = await openDossierStore({ folder: temporaryFolder('dossiers') }, () => now)
  for (let made = 0; made < DOSSIERS_OF_OWNER_MAX; made++) await store.make(ownerFor(anna), 'T')
  await expect(store.make(ownerFor(ben), 'T')).rejects.toMatchObject({ code: 'limit-reached' })
  await store.make(ownerFor(cleo), 'T')
})
