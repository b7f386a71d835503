import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { activePolicies } from '../../../main/administrator/classroom/active-versions.ts'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { removeAgent, renameAgent, takesPart } from '../../../main/services/agents/agent-edits.ts'
import { renamedEntrants, ownEntrants } from '../../../main/services/agents/entrant-agents.ts'
import { settledClass } from '../../../main/services/agents/settled-class.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
import { lookAt, addSubmission, type AddedSubmission, type HandingTeam } from '../../../main/services/agents/hand-in.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { Becomes } from '../../../main/contract/procedures/procedures.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder = ''
let home: ClassFolder
beforeEach(async () => {
  folder = temporaryFolder('edits')
  home = await openClassFolder(folder)
})
afterEach(() => home.close())

const unnamed: Becomes = { what: 'agent', name: null }
const version = (of: string): Becomes => ({ what: 'version', of })
const called = (name: string): Becomes => ({ what: 'agent', name })
const handIn = (
  source: string,
  becomes: Becomes = unnamed,
  {
    fileName = 'walker.js',
    ...more
  }: { readonly fileName?: string; readonly game?: string; readonly belonging?: object } = {},
): Promise<AddedSubmission> =>
  addSubmission(home, {
    ...{ file: { fileName, content: Buffer.from(source) }, game: 'specker', belonging: {}, becomes, at: 0 },
    ...more,
  })
const look = (source: string) =>
  lookAt(home, { file: { fileName: 'walker.js', content: Buffer.from(source) }, game: 'specker' })
/** By the order in which they were handed in: name and package. */
const agents = () => home.content.agents.map(({ manifest, hash }) => ({ name: manifest.name, agent: hash }))
const names = () => agents().map(({ name }) => name)
const packages = () => readdirSync(join(folder, 'agents')).sort()

async function contestOf(entrants: ContestDescription['entrants'], title = 'Week 1'): Promise<string> {
  const format = { type: 'single' } as const
  const description = contestDescription.parse({ title, game: 'specker', format, seed: 'x', entrants })
  let id = ''
  await home.change((content) => {
    id = newContest(content, folder, description, { nonce: '0'.repeat(64) })
  })
  return id
}
const settle = (state: 'ended' | 'cancelled') =>
  home.change(({ contests }) => {
    for (const contest of contests) contest.state = state
  })

test('files of one name are agents of their own; a version is one that was chosen', async () => {
  expect((await handIn('1')).name).toBe('walker')
  expect((await handIn('2')).name).toBe('walker 2')
  expect((await handIn('3', version('walker'))).name).toBe('walker')
  expect(names()).toEqual(['walker', 'walker 2', 'walker'])
  await expect(handIn('4', version('nobody'))).rejects.toThrow(refusal('agent-unknown', '"nobody"'))
  await expect(handIn('4', version('walker'), { game: 'haggle' })).rejects.toThrow(
    refusal('other-game', '"walker"', 'specker', 'haggle'),
  )
  expect(names()).toHaveLength(3)
})

test('a file that has only the name of its kit is not handed in until it gets one', async () => {
  for (const fileName of ['agent.js', 'agent (1).js', 'my-agent.js', 'tartaglia-cows-javascript.js'])
    await expect(handIn('1', unnamed, { fileName })).rejects.toMatchObject({ code: 'name-missing' })
  expect(names()).toEqual([])
  expect((await handIn('1', called('anna'), { fileName: 'agent.js' })).name).toBe('anna')
})

test('a name that another agent has, or that people take for it, is refused, and nothing is stored', async () => {
  await handIn('1', called('José'))
  const before = packages()
  for (const name of ['José', 'JOSÉ']) {
    await expect(handIn('2', called(name))).rejects.toThrow(refusal('name-taken', '"José"'))
  }
  expect(packages()).toEqual(before)
  expect((await handIn('2', called('Jose'))).name).toBe('Jose')
})

test('a team learns nothing of another team’s agent whose name it wants, and is led to its own one', async () => {
  const [red, blue] = ['0'.repeat(16), '1'.repeat(16)]
  const handInFor = (id: string, name: string, source: string): Promise<AddedSubmission> =>
    addSubmission(home, {
      ...{ file: { fileName: 'a.js', content: Buffer.from(source) }, game: 'specker', belonging: {}, at: 0 },
      ...{ becomes: called(name), team: { id, name: `Team ${id.slice(0, 1)}`, complete } },
    })
  const complete: HandingTeam['complete'] = async (version) => ({ version, note: null })
  await handInFor(red, 'baby', '1')
  const refused = async (id: string, name: string): Promise<string> =>
    handInFor(id, name, '2').then(
      () => expect.unreachable(),
      (error: unknown) => {
        expect(error).toEqual(refusal('name-taken', `"${name}"`))
        return String(error)
      },
    )
  const same = await refused(blue, 'baby')
  expect(same).not.toMatch(/version/)
  // One that only looks like it is not named either.
  const cyrillic = '\u0412\u0410\u0412\u0423'
  expect(await refused(blue, cyrillic)).toBe(same.replace('baby', cyrillic))
  expect(await refused(red, 'baby')).toMatch(/new version of that agent/)
})

test('a name or a team that looks like another, or mixes scripts, is refused, and nothing is stored', async () => {
  await handIn('1', called('baby'), { belonging: { team: 'Team 1' } })
  const before = packages()
  const taken = { code: 'name-taken' }
  const cyrillic = '\u0412\u0410\u0412\u0423'
  await expect(handIn('2', called(cyrillic))).rejects.toMatchObject(taken)
  await expect(handIn('2', unnamed, { fileName: `${cyrillic}.js` })).rejects.toMatchObject(taken)
  await expect(handIn('2', called('anna'), { belonging: { team: 'Team l' } })).rejects.toMatchObject(taken)
  const mixed = { belonging: { team: 'T\u0435am 2' } }
  await expect(handIn('2', called('anna'), mixed)).rejects.toMatchObject({ code: 'input-invalid' })
  expect(packages()).toEqual(before)
  await expect(handIn('2', called('anna'), { belonging: { team: 'team 1' } })).resolves.toMatchObject({ name: 'anna' })
})

test('the very same bytes are said to be the same, whoever hands them in', async () => {
  await handIn('1', called('anna'))
  expect(await look('1')).toMatchObject({ name: 'walker', same: ['anna'] })
  expect(await look('2')).toMatchObject({ same: [] })
  expect((await handIn('1', version('anna'))).note).toMatch(/newest version of "anna" already/)
  expect((await handIn('1', called('bert'))).note).toBe('The very same bytes as "anna".')
  await handIn('2', version('anna'))
  expect((await handIn('1', version('anna'))).note).toMatch(/"anna" had the very same bytes before/)
  expect((await handIn('3', version('anna'))).note).toBeNull()
})

test('renamed, an agent keeps its versions and is found in contests under the name that it had', async () => {
  await handIn('0', called('first'))
  await handIn('1', called('anna'))
  await handIn('2', version('anna'))
  // The same bytes by somebody else, who was there before.
  await handIn('1', version('first'))
  const [, , newest, twin] = agents()
  const id = await contestOf([newest!], 'Old')
  await renameAgent(home, 'anna', 'Anna B')
  expect(names()).toEqual(['first', 'Anna B', 'Anna B', 'first'])
  const { description } = home.content.contests.find((each) => each.id === id)!
  expect(description.entrants).toEqual([newest])
  expect(renamedEntrants(home, description)).toEqual([{ entrant: 'anna', agent: 'Anna B' }])
  expect(ownEntrants(home.content, 'Anna B', [{ name: 'anna', agent: twin!.agent }])).toEqual(['anna'])
  expect(ownEntrants(home.content, 'first', [{ name: 'anna', agent: twin!.agent }])).toEqual([])
  // The contests of each agent, which a later change does not leave as they were.
  const entered = (agent: string) =>
    settledClass(home.content)
      .entered(agent)
      .map(({ entry, own }) => [entry.id, [...own]])
  expect(entered('Anna B')).toEqual([[id, ['anna']]])
  expect(entered('first')).toEqual([])
  const second = await contestOf([twin!, { name: 'other', agent: newest!.agent }], 'New')
  expect(entered('Anna B')).toEqual([
    [id, ['anna']],
    [second, ['other']],
  ])
  expect(entered('first')).toEqual([[second, ['first']]])
  await settle('ended')
  // Back again, and to the same letters in another case.
  await renameAgent(home, 'Anna B', 'anna')
  await renameAgent(home, 'anna', 'ANNA')
  expect(names()).toEqual(['first', 'ANNA', 'ANNA', 'first'])
  await expect(renameAgent(home, 'ANNA', 'First')).rejects.toThrow(refusal('name-taken', '"first"'))
  await expect(renameAgent(home, 'nobody', 'x')).rejects.toThrow(refusal('agent-unknown', '"nobody"'))
})

test('renamed, an agent stays in the team that was called by its name, where others are in it', async () => {
  await handIn('1', called('anna'))
  await handIn('2', called('second'), { belonging: { team: 'anna' } })
  await renameAgent(home, 'anna', 'Anna B')
  expect(home.content.agents.map(({ manifest }) => manifest.team)).toEqual(['anna', 'anna'])
  expect([...activePolicies(home.content.agents).values()].filter((bits) => bits.length > 0)).toHaveLength(1)
  await handIn('3', called('cleo'))
  await renameAgent(home, 'cleo', 'Cleo')
  expect(home.content.agents.at(-1)?.manifest.team).toBeUndefined()
})

test('removed, an agent is gone with its files, and contests that are over keep it by name', async () => {
  await handIn('1', called('anna'))
  await handIn('2', version('anna'))
  await handIn('3', called('bert'))
  const [first, second, bert] = agents()
  await contestOf([second!, bert!])
  expect(takesPart(home.content, 'anna')).toEqual({ open: [{ contest: 'week-1-1', title: 'Week 1' }], over: 0 })
  await expect(removeAgent(home, 'anna')).rejects.toThrow(
    '"anna" takes part in "Week 1", which is not over: let it end, or cancel it.',
  )
  expect(names()).toEqual(['anna', 'anna', 'bert'])
  expect(packages()).toHaveLength(3)

  await settle('ended')
  expect(takesPart(home.content, 'anna')).toEqual({ open: [], over: 1 })
  expect([...(await removeAgent(home, 'anna'))].sort()).toEqual([first!.agent, second!.agent].sort())
  expect(names()).toEqual(['bert'])
  expect(packages()).toEqual([`${bert!.agent}.js`])
  const [{ description } = { description: null }] = home.content.contests
  expect(description?.entrants).toEqual([second, bert])
  expect(renamedEntrants(home, description!)).toEqual([{ entrant: 'anna', agent: null }])
  await expect(removeAgent(home, 'anna')).rejects.toThrow(refusal('agent-unknown', '"anna"'))
})

test('files stay that another agent has, or that a contest needs which is not over', async () => {
  await handIn('1', called('anna'))
  await handIn('1', called('bert'))
  const [anna, bert] = agents()
  await contestOf([bert!])
  expect(takesPart(home.content, 'anna').open).toEqual([])
  expect(await removeAgent(home, 'anna')).toEqual([])
  expect(packages()).toEqual([`${anna!.agent}.js`])
  await settle('cancelled')
  expect(await removeAgent(home, 'bert')).toEqual([bert!.agent])
  expect(packages()).toEqual([])
})

test('what is handed in while its bytes are being removed has them', async () => {
  await handIn('1', called('anna'))
  await Promise.all([removeAgent(home, 'anna'), handIn('1', called('bert')), handIn('1', called('cleo'))])
  expect([...names()].sort()).toEqual(['bert', 'cleo'])
  expect(packages()).toHaveLength(1)
})

test('an entrant of a contest file is the agent of its name, however that is spelled, and never one of another game', async () => {
  await handIn('1', called('José'))
  await handIn('module.exports = 1', called('bert'), { game: 'haggle' })
  await contestOf([
    { name: 'JOSÉ', agent: 'a'.repeat(64) },
    { name: 'bert', agent: 'b'.repeat(64) },
  ])
  expect(names()).toEqual(['José', 'bert', 'José', 'bert 2'])
})

describe('an agent that names no team', () => {
  const ofTeam = (team: string) => ({ belonging: { team } })
  const refused = refusal('name-taken', '"Scuderia"', '"anna"')

  test('joins none by its name alone: not when it is handed in, nor when it is renamed', async () => {
    await handIn('1', called('anna'), ofTeam('Scuderia'))
    await handIn('2', called('bob'))
    await expect(handIn('3', called('scuderia'))).rejects.toThrow(refused)
    await expect(renameAgent(home, 'bob', 'Scuderia')).rejects.toThrow(refused)
    expect(names()).toEqual(['anna', 'bob'])
    // A file's own name gets a number, as where an agent has it.
    expect((await handIn('3', unnamed, { fileName: 'Scuderia.js' })).name).toBe('Scuderia 2')
  })

  test('may have the name of its own team, and of one that others joined since', async () => {
    await handIn('1', called('anna'), ofTeam('Scuderia'))
    expect((await handIn('2', called('Scuderia'), ofTeam('Scuderia'))).name).toBe('Scuderia')
    await handIn('3', called('bob'))
    await handIn('4', called('carl'), ofTeam('bob'))
    expect((await handIn('5', version('bob'))).name).toBe('bob')
  })
})
