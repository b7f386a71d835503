import { describe, expect, test } from 'vitest'
import { activePolicies, checkActive, teamOf } from '../../../main/administrator/classroom/active-versions.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
import { agentManifest, type AgentManifest } from '../../../main/contract/players/agents.ts'
import { classroom, type StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import { defaultPolicy } from '../../../main/contract/contests/policy.ts'
import { bitsMeant } from '../../../main/contract/contests/policy-patterns.ts'
import { refusal } from '../../refusal.ts'

const all = ['000', '001', '010', '011', '100', '101', '110', '111']
const hash = (digit: string): string => digit.repeat(64)

/** Handed in in this order, each a package of its own. */
const class_ = (...manifests: readonly (Partial<AgentManifest> & { name: string })[]): readonly StoredAgentVersion[] =>
  classroom.parse({
    format: 'tartaglia-class/1',
    agents: manifests.map((manifest, i) => {
      return { hash: hash(String(i)), manifest: { game: 'specker', kind: 'script', ...manifest } }
    }),
    contests: [],
  }).agents

const activeOf = (agents: readonly StoredAgentVersion[]): readonly (readonly string[])[] => {
  const active = activePolicies(agents)
  return agents.map((version) => active.get(version) ?? [])
}

const described = (entrants: readonly (readonly [string, string])[], mechanismAttack = false): ContestDescription =>
  contestDescription.parse({
    title: 'Teams',
    game: 'specker',
    format: { type: 'single' },
    seed: 'x',
    policy: { ...defaultPolicy, mechanismAttack },
    entrants: entrants.map(([name, digit]) => ({ name, agent: hash(digit) })),
  })

describe('one active agent a team and policy', () => {
  test('an agent of a folder from before there were teams is a team of its own, and its newest version active', () => {
    const agents = class_({ name: 'anna' }, { name: 'bert' }, { name: 'anna' })
    expect(agents.map(({ manifest }) => teamOf(manifest))).toEqual(['anna', 'bert', 'anna'])
    expect(activeOf(agents)).toEqual([[], all, all])
  })

  test('a newer agent of the team takes the place of the older for the policies that it is meant for, and no other', () => {
    const agents = class_(
      { name: 'plain', team: 'A' },
      { name: 'sly', team: 'A', policies: ['01*'] },
      { name: 'slyer', team: 'A', policies: ['*11', '111'] },
      { name: 'other', team: 'B', policies: ['010'] },
    )
    expect(activeOf(agents)).toEqual([['000', '001', '100', '101', '110'], ['010'], ['011', '111'], ['010']])
    // Never two of a team under one policy.
    const ofA = activeOf(agents).slice(0, 3).flat()
    expect(ofA.toSorted()).toEqual(all)
  })

  test('handed in again an older one is active again', () => {
    const [old, young] = class_({ name: 'old', team: 'A' }, { name: 'young', team: 'A' })
    expect(activeOf([old!, young!])).toEqual([[], all])
    expect(activeOf([young!, old!])).toEqual([[], all])
  })

  test('a team has an agent for each game', () => {
    expect(activeOf(class_({ name: 'a', team: 'A' }, { name: 'b', team: 'A', game: 'haggle' }))).toEqual([all, all])
  })

  test.each([
    [undefined, all],
    [['***'], all],
    [['010'], ['010']],
    [
      ['01*', '1*0', '010'],
      ['010', '011', '100', '110'],
    ],
  ])('an agent that names %j is meant for %j', (patterns, bits) => expect(bitsMeant(patterns)).toEqual(bits))

  test('a team has a name such as agents have', () => {
    const manifest = { name: 'a', game: 'specker', kind: 'script' }
    expect(agentManifest.safeParse({ ...manifest, team: 'The 3 Ferraris' }).success).toBe(true)
    for (const team of ['', ' x', 'a\nb', 'x'.repeat(65), 1]) {
      expect(agentManifest.safeParse({ ...manifest, team }).success).toBe(false)
    }
  })
})

describe('a contest', () => {
  const agents = class_(
    { name: 'plain', team: 'A' },
    { name: 'sly', team: 'A', policies: ['010'] },
    { name: 'bert' },
    { name: 'bert' },
  )

  test('takes the active agents of its policy and refuses others in a sentence', () => {
    const check = (mechanism: boolean, ...entrants: readonly (readonly [string, string])[]) => {
      return () => checkActive(agents, described(entrants, mechanism))
    }
    expect(check(false, ['sly', '1'], ['bert', '3'])).not.toThrow()
    expect(check(true, ['plain', '0'], ['bert', '3'])).not.toThrow()
    expect(check(false, ['plain', '0'])).toThrow(
      'Entrant "plain" is not the active agent of the team "A" under the policy "attacks on decisions": "sly" is.',
    )
    expect(check(false, ['bert', '2'])).toThrow(
      'Entrant "bert" is not the active agent of the team "bert" under the policy "attacks on decisions": a newer version of it is.',
    )
    // An agent that is not meant for the policy is refused for that reason when the contest is noted.
    expect(check(true, ['sly', '1'])).not.toThrow()
    // Teams do not matter for one that nobody has handed in.
    expect(check(false, ['guest', '9'])).not.toThrow()
  })

  test('means by a package that several agents have the one of the name', () => {
    const twins = class_({ name: 'one', policies: ['1**'] }, { name: 'two', team: 'A' }).map((version) => ({
      ...version,
      hash: hash('0'),
    }))
    const [, later] = class_({ name: 'elsewhere' }, { name: 'three', team: 'A' })
    const check = (known: readonly StoredAgentVersion[], name: string) => () =>
      checkActive(known, described([[name, '0']]))
    expect(check(twins, 'two')).not.toThrow()
    expect(check([...twins, later!], 'two')).toThrow(
      'Entrant "two" is not the active agent of the team "A" under the policy "attacks on decisions": "three" is.',
    )
    // One that is not meant for the policy is told that when the contest is noted.
    expect(check([...twins, later!], 'one')).not.toThrow()
    const content = classroom.parse({ format: 'tartaglia-class/1', agents: twins, contests: [] })
    expect(newContest(content, '/nowhere', described([['two', '0']]), { nonce: 'n' })).toBe('teams-1')
    expect(() => newContest(content, '/nowhere', described([['one', '0']]), { nonce: 'n' })).toThrow(
      refusal('policy-not-meant', '1**'),
    )
  })

  test('has one agent of a team, whoever describes it', () => {
    const content = classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })
    const manifests = new Map(agents.map(({ hash: agent, manifest }) => [agent, manifest]))
    const add = (...entrants: readonly (readonly [string, string])[]) =>
      newContest(content, '/nowhere', described(entrants), { nonce: 'n', manifests })
    expect(() => add(['plain', '0'], ['sly', '1'])).toThrow(refusal('team-twice', '"plain"', '"sly"', '"A"'))
    expect(content.contests).toEqual([])
    // The same agent twice is one agent, and whoever names no team has none to share.
    expect(add(['sly', '1'], ['sly 2', '1'], ['bert', '2'], ['bert 2', '3'])).toBe('teams-1')
  })
})
