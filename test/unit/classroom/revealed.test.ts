import { expect, test } from 'vitest'
import { revealsIn, ruleAtHandIn } from '../../../main/administrator/classroom/revealed.ts'
import { HUMAN } from '../../../main/contract/players/agents.ts'
import { classroom, type Classroom, type ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { isPublic } from '../../../main/contract/players/sources.ts'

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)]
const version = (name: string, hash: string, more: object = {}) => ({
  hash,
  manifest: { name, game: 'specker', kind: 'script' },
  revealAfter: 2,
  ...more,
})

function contest(state: ContestEntry['state'], entrants: readonly { name: string; agent: string }[], more = {}) {
  const format = { type: 'single' } as const
  const description = contestDescription.parse({ title: 't', game: 'specker', format, seed: 'x', entrants, ...more })
  return { id: 'c-1', description, nonce: '0'.repeat(64), state }
}

const classOf = (agents: readonly object[], contests: readonly object[]): Classroom =>
  classroom.parse({ format: 'tartaglia-class/1', agents, contests })

/** The number of contests that count for the newest version; null: it has no rule. */
function counted(content: Classroom): number | null {
  return revealsIn(content).get(content.agents.at(-1)!)?.contests ?? null
}

const anna = { name: 'anna', agent: first }

test('only finished contests with this very version count, once each', () => {
  const agents = [version('anna', first)]
  const two = [anna, { name: 'anna again', agent: first }]
  expect(counted(classOf(agents, [contest('ended', [anna]), contest('ended', two)]))).toBe(2)
  expect(counted(classOf(agents, [contest('open', [anna]), contest('cancelled', [anna])]))).toBe(0)
  expect(counted(classOf(agents, [contest('ended', [anna], { practice: true })]))).toBe(0)
  expect(counted(classOf(agents, [contest('ended', [anna, { name: 'you', agent: HUMAN }])]))).toBe(0)
  const newer = [...agents, version('anna', second)]
  expect(counted(classOf(newer, [contest('ended', [anna])]))).toBe(0)
})

test('two agents with the same bytes count by their names, also after one was renamed', () => {
  const agents = [version('anna', first), version('carla', first, { formerly: ['bruno'] })]
  expect(counted(classOf(agents, [contest('ended', [anna])]))).toBe(0)
  expect(counted(classOf(agents, [contest('ended', [{ name: 'bruno', agent: first }])]))).toBe(1)
})

test('a version keeps the rule under which it was handed in', () => {
  const agents = [version('anna', first), version('bruno', second, { revealAfter: undefined })]
  const content = classOf(JSON.parse(JSON.stringify(agents)) as object[], [contest('ended', [anna])])
  content.settings.revealAfter = 1
  const [own, other] = content.agents
  expect(revealsIn(content).get(own!)).toEqual({ after: 2, contests: 1 })
  expect(revealsIn(content).get(other!)).toBeUndefined()
  expect(isPublic(revealsIn(content).get(own!))).toBe(false)
})

test('handed in again, the earlier of both rules holds', () => {
  const { settings, agents } = classOf([version('anna', first)], [])
  const known = agents[0]!
  const under = (revealAfter: number) => ruleAtHandIn({ ...settings, revealAfter }, known)
  expect(under(0)).toEqual({ revealAfter: 2 })
  expect(under(5)).toEqual({ revealAfter: 2 })
  expect(under(1)).toEqual({ revealAfter: 1 })
  expect(ruleAtHandIn({ ...settings, revealAfter: 0 })).toEqual({})
})
