import { expect, test } from 'vitest'
import { TEAMS_MAX } from '../../../main/contract/people/teams.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import {
  changeTeam,
  formTeam,
  inviteTo,
  isLive,
  joinTeam,
  leaveTeam,
  removeGoneMembers,
  renameTeam,
  requireLive,
} from '../../../main/services/people/teams.ts'

const now = new Date('2026-09-01T08:00:00Z')
const [ada, bert, cleo] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string]

test('whoever leaves a team, or is taken out of it, cannot come back by its invitation', async () => {
  const people = [ada, bert, cleo].map((id) => ({ id, name: id, ids: {}, role: 'student', added: now.toISOString() }))
  const content = {
    people,
    teams: [],
    agents: [],
    components: [],
    settings: { pseudonyms: false },
  } as unknown as Classroom
  const home = {
    content,
    change: async (edit: (content: Classroom) => unknown) => void (await edit(content)),
  } as unknown as Parameters<typeof formTeam>[0]
  const unknown = expect.objectContaining({ code: 'team-unknown' }) as Error
  const { id } = await formTeam(home, 'Reds', ada, now)
  const first = await inviteTo(home, ada)
  await joinTeam(home, first, bert, now)
  await leaveTeam(home, bert, () => true)
  await expect(joinTeam(home, first, bert, now)).rejects.toEqual(unknown)

  await joinTeam(home, content.teams[0]!.invitation!, bert, now)
  const second = content.teams[0]!.invitation!
  await changeTeam(home, { team: id, name: 'Reds', members: [ada] }, now)
  await expect(joinTeam(home, second, bert, now)).rejects.toEqual(unknown)

  await joinTeam(home, content.teams[0]!.invitation!, bert, now)
  const third = content.teams[0]!.invitation!
  await changeTeam(home, { team: null, name: 'Blues', members: [bert, cleo] }, now)
  await expect(joinTeam(home, third, bert, now)).rejects.toEqual(unknown)

  // Nobody joins a team that is dissolved.
  const fourth = content.teams[0]!.invitation!
  await changeTeam(home, { team: id, name: 'Reds', members: [] }, now)
  await leaveTeam(home, cleo, () => true)
  await expect(joinTeam(home, fourth, cleo, now)).rejects.toEqual(unknown)
  expect(content.teams[0]).not.toHaveProperty('invitation')
})

test('a team knows its former members until they come back', async () => {
  const people = [ada, bert, cleo].map((id) => ({ id, name: id, ids: {}, role: 'student', added: now.toISOString() }))
  const content = {
    people,
    teams: [],
    agents: [],
    components: [],
    settings: { pseudonyms: false },
  } as unknown as Classroom
  const home = {
    content,
    change: async (edit: (content: Classroom) => unknown) => void (await edit(content)),
  } as unknown as Parameters<typeof formTeam>[0]
  const { id } = await formTeam(home, 'Reds', ada, now)
  const former = () => content.teams.find((each) => each.id === id)?.former
  await joinTeam(home, await inviteTo(home, ada), bert, now)
  expect(former()).toBeUndefined()
  await leaveTeam(home, bert, () => true)
  await changeTeam(home, { team: id, name: 'Reds', members: [cleo] }, now)
  expect(former()).toEqual([bert, ada])
  await joinTeam(home, await inviteTo(home, cleo), bert, now)
  expect(former()).toEqual([ada])
  await changeTeam(home, { team: id, name: 'Reds', members: [ada] }, now)
  expect(former()).toEqual([cleo, bert])
})

test('a team knows since when its members are in it, and forgets those who leave', async () => {
  const people = [ada, bert, cleo].map((id) => ({ id, name: id, ids: {}, role: 'student', added: now.toISOString() }))
  const content = {
    people,
    teams: [],
    agents: [],
    components: [],
    settings: { pseudonyms: false },
  } as unknown as Classroom
  const home = {
    content,
    change: async (edit: (content: Classroom) => unknown) => void (await edit(content)),
  } as unknown as Parameters<typeof formTeam>[0]
  const [first, second] = [new Date('2026-10-01T08:00:00Z'), new Date('2026-11-01T08:00:00Z')]
  const { id } = await formTeam(home, 'Reds', ada, now)
  await joinTeam(home, await inviteTo(home, ada), bert, first)
  // Those who were in it already have not joined it once more.
  await changeTeam(home, { team: id, name: 'Reds', members: [ada, bert, cleo] }, second)
  const joined = { [bert]: first.toISOString(), [cleo]: second.toISOString() }
  expect(content.teams[0]).toMatchObject({ formed: now.toISOString(), members: [ada, bert, cleo], joined })
  await leaveTeam(home, bert, () => true)
  expect(content.teams[0]!.joined).toEqual({ [cleo]: second.toISOString() })
  await leaveTeam(home, cleo, () => true)
  expect(content.teams[0]).not.toHaveProperty('joined')
})

test('components follow the name of their team, and no other team gets the name of an author', async () => {
  const people = [ada, bert].map((id) => ({ id, name: id, ids: {}, role: 'student', added: now.toISOString() }))
  const components = [{ name: 'matcher', author: 'Elders' }]
  const empty = { teams: [], agents: [], contests: [], settings: { pseudonyms: false } }
  const content = { ...empty, people, components } as unknown as Classroom
  const home = {
    content,
    change: async (edit: (content: Classroom) => unknown) => void (await edit(content)),
  } as unknown as Parameters<typeof formTeam>[0]
  const taken = expect.objectContaining({ code: 'name-taken' }) as Error
  await expect(formTeam(home, 'Elders', ada, now)).rejects.toEqual(taken)
  const { id } = await formTeam(home, 'Reds', ada, now)
  content.components.push({ ...content.components[0]!, name: 'solver', author: 'Reds', owner: id })
  await renameTeam(home, id, 'Crimson')
  expect(content.components.map(({ author }) => author)).toEqual(['Elders', 'Crimson'])
  // The component went with its team, so that the former name is free.
  await expect(formTeam(home, 'Crimson', bert, now)).rejects.toEqual(taken)
  expect(await formTeam(home, 'Reds', bert, now)).toMatchObject({ name: 'Reds' })
})

test('whoever leaves the class or becomes an assistant leaves their team, which may be dissolved then', () => {
  const personOf = (id: string, more: object = {}): object => ({
    ...{ id, name: id, ids: {}, role: 'student', added: now.toISOString(), ...more },
  })
  const red = { id: '1', name: 'Reds', members: [ada, bert], formed: now.toISOString(), invitation: 'ABCDEFGHJK' }
  const blue = { id: '2', name: 'Blues', members: [cleo], formed: now.toISOString(), invitation: 'BCDEFGHJKM' }
  const content = {
    people: [personOf(ada), personOf(bert, { role: 'assistant' }), personOf(cleo, { removed: now.toISOString() })],
    teams: [red, blue],
  } as unknown as Classroom
  removeGoneMembers(content)
  expect(content.teams.map(({ members }) => members)).toEqual([[ada], []])
  expect(content.teams[0]!.invitation).not.toBe('ABCDEFGHJK')
  expect(content.teams[1]).not.toHaveProperty('invitation')
  expect(content.teams.map(isLive)).toEqual([true, false])
  expect(() => requireLive(content.teams[1]!)).toThrow('dissolved')
})

test('teams without members do not count, and leave no name behind if they left nothing else', async () => {
  const people = [ada, bert].map((id) => ({ id, name: id, ids: {}, role: 'student', added: now.toISOString() }))
  const teamOf = (n: number, members: readonly string[]) => ({ id: `${n}`, name: `T${n}`, members, formed: '' })
  const many = Array.from({ length: TEAMS_MAX - 1 }, (_, n) => teamOf(n, [`p${n}`]))
  const dissolved = teamOf(TEAMS_MAX, [])
  const content = {
    ...{
      people,
      teams: [...many, dissolved],
      agents: [],
      components: [],
      extensions: [],
      settings: { pseudonyms: false },
    },
  } as unknown as Classroom
  const home = {
    content,
    change: async (edit: (content: Classroom) => unknown) => void (await edit(content)),
  } as unknown as Parameters<typeof formTeam>[0]
  const tooMany = expect.objectContaining({ code: 'limit-reached' }) as Error
  await formTeam(home, 'Reds', ada, now)
  await expect(formTeam(home, 'Blues', bert, now)).rejects.toEqual(tooMany)
  await expect(changeTeam(home, { team: null, name: 'Blues', members: [bert] }, now)).rejects.toEqual(tooMany)
  await leaveTeam(home, ada, () => false)
  expect(content.teams.map(({ name }) => name)).not.toContain('Reds')
  await formTeam(home, 'Reds', bert, now)
  await leaveTeam(home, bert, () => true)
  const { id } = content.teams.find(({ name }) => name === 'Reds')!
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  const owned = await formTeam(home, 'Greens', ada, now)
  content.agents.push({ owner: owned.id, manifest: { name: 'g', game: 'haggle', team: 'Greens' } } as never)
  await leaveTeam(home, ada, () => false)
  expect(content.teams.map(({ name }) => name)).toContain('Greens')
})
