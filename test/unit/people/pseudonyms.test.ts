import { describe, expect, test } from 'vitest'
import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { narrowedContest } from '../../../main/contract/people/narrowed.ts'
import type { CallerView } from '../../../main/contract/people/objects.ts'
import { namedIn } from '../../../main/contract/people/pseudonyms.ts'
import type { Person } from '../../../main/contract/people/people.ts'
import { classroom, type Classroom } from '../../../main/contract/procedures/classroom.ts'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import type { ContestDetail } from '../../../main/contract/procedures/procedures.ts'
import { renamedEntrants } from '../../../main/services/agents/entrant-agents.ts'
import { presentNames } from '../../../main/services/pseudonyms/present-names.ts'
import { teamsOf } from '../../../main/services/contests/results/contest-shares.ts'
import { becomesOf } from '../../../main/services/hand-in/receive.ts'
import {
  checkNamesNobody,
  pseudonymsOf,
  setPseudonyms,
  wishPseudonym,
} from '../../../main/services/pseudonyms/pseudonyms.ts'
import { changeTeam, formTeam, joinTeam, renameTeam, teamView } from '../../../main/services/people/teams.ts'
import { refusal } from '../../refusal.ts'

const now = new Date('2026-11-28T12:00:00.000Z')
const idOf = (n: number): string => n.toString(16).padStart(16, '0')
const student = (n: number, name: string, more: Partial<Person> = {}): Person => ({
  ...{ id: idOf(n), name, ids: {}, role: 'student', added: now.toISOString() },
  ...more,
})
const [ada, bert, eve] = [1, 2, 3].map(idOf) as [string, string, string]

/** A class in memory that is changed like one on disk. */
function classOf(): { content: Classroom; change(edit: (content: Classroom) => void): Promise<void> } {
  const people = [
    student(1, 'Ada Lovelace'),
    student(2, 'Bert'),
    student(3, 'Eve Öberg', { email: 'eve@school.example' }),
  ]
  const home = {
    content: classroom.parse({ format: 'tartaglia-class/4', agents: [], contests: [], people }),
    change: async (edit: (content: Classroom) => void) => {
      const next = structuredClone(home.content)
      edit(next)
      home.content = classroom.parse(next)
    },
  }
  return home
}
const handedIn = (owner: string, team: string, name: string): Classroom['agents'][number] => ({
  ...{ hash: 'a'.repeat(64), owner, submitted: now.toISOString(), smoke: null },
  manifest: { name, team, game: 'specker', kind: 'script' },
})

describe('pseudonyms', () => {
  test('in a class under pseudonyms no public name of a team is its own', async () => {
    const home = classOf()
    await setPseudonyms(home, true)
    const team = await formTeam(home, "Ada's best", ada, now)
    expect(team.called).toBe("Ada's best")
    expect(team.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    expect(teamView(home.content, team)).toMatchObject({ name: team.name, called: "Ada's best" })
    await renameTeam(home, team.id, 'Lovelace and friends')
    expect(home.content.teams[0]).toMatchObject({ name: team.name, called: 'Lovelace and friends' })
    const staffs = await changeTeam(home, { team: null, name: 'Bert', members: [bert] }, now)
    expect(staffs.called).toBe('Bert')
    expect(staffs.name).not.toBe(team.name)
    expect(pseudonymsOf(home.content)).toHaveLength(2)
    expect(pseudonymsOf(home.content)).toContainEqual({ pseudonym: staffs.name, team: 'Bert', members: ['Bert'] })
  })

  test('agents of such a team are named after it, whatever their files are called, also the first ones', async () => {
    const home = classOf()
    const { id } = await formTeam(home, "Ada's best", ada, now)
    await home.change((content) => {
      content.agents.push(handedIn(id, "Ada's best", 'lovelace'), handedIn('f'.repeat(16), 'Others', 'other'))
    })
    await setPseudonyms(home, true)
    const team = home.content.teams[0]!
    const [own, other] = home.content.agents
    expect(own).toMatchObject({ manifest: { name: team.name, team: team.name }, formerly: ['lovelace'] })
    expect(other!.manifest).toMatchObject({ name: 'other', team: 'Others' })
    const become = (agent: string | null) => becomesOf(home.content, { game: 'specker', team, agent })
    expect(become(team.name)).toEqual({ what: 'version', of: team.name })
    // A former name means the same agent; a new one gets its name when the file has been read.
    expect(become('lovelace')).toEqual({ what: 'version', of: team.name })
    expect(presentNames(home.content, team, become('ada-bot'))).toEqual({
      ...{ team: team.name, becomes: { what: 'agent', name: `${team.name} 2` } },
    })
  })

  test('one who wishes it takes their team along, and nobody else', async () => {
    const home = classOf()
    const first = await formTeam(home, 'Berts', bert, now)
    const second = await formTeam(home, 'Eve', eve, now)
    await wishPseudonym(home, ada, true)
    expect(home.content.teams.map(({ called }) => called)).toEqual([undefined, undefined])
    await home.change(({ teams }) => void (teams[0]!.invitation = '2345678923'))
    await joinTeam(home, '2345678923', ada, now)
    const [joined, other] = home.content.teams
    expect(joined).toMatchObject({ id: first.id, called: 'Berts' })
    expect(joined!.name).not.toBe('Berts')
    expect(other).toEqual(second)
    // Once nobody wishes it, a new name is public again.
    await wishPseudonym(home, ada, false)
    expect(home.content.teams[0]!.name).toBe(joined!.name)
    await renameTeam(home, first.id, 'Berts again')
    expect(home.content.teams[0]).toMatchObject({ name: 'Berts again' })
    expect(home.content.teams[0]!.called).toBeUndefined()
  })

  test('texts that become public name nobody who appears under a pseudonym', async () => {
    const home = classOf()
    const check = (text: string): void => checkNamesNobody(home.content, [text], { isStaff: true, own: [] })
    expect(() => check('Ada Lovelace')).not.toThrow()
    await wishPseudonym(home, ada, true)
    expect(() => check('By ada  LOVELACE, 2026')).toThrow(refusal('person-named', 'ada lovelace'))
    expect(() => check('By Eve Öberg')).not.toThrow()
    await setPseudonyms(home, true)
    expect(() => check('by eve oberg.')).toThrow(refusal('person-named'))
    expect(() => check('mail Eve@School.example, please')).toThrow(refusal('person-named'))
    expect(() => check('Bert')).toThrow(refusal('person-named', 'Bert'))
    expect(() => check('Ada and Lovelace; Robert; bert; eve')).not.toThrow()
  })

  test('students learn from refusals neither who has a number or a pseudonym, nor a name that they did not write', async () => {
    const home = classOf()
    await home.change(({ people }) => void (people[0]!.ids = { school: '004711' }))
    await wishPseudonym(home, ada, true)
    const problem = (text: string, own: string[], isStaff = false): string => {
      try {
        checkNamesNobody(home.content, [text], { isStaff, own })
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    // Numbers are looked for in texts of staff, and in those of their owner.
    expect(problem('004711', [bert])).toBe('')
    expect([problem('004711', [ada]), problem('004711', [], true)]).toEqual([
      expect.stringContaining('"004711"'),
      expect.stringContaining('"004711"'),
    ])
    for (const told of [problem('004711', [ada]), problem('eve@school.example', [bert])])
      expect(told).not.toMatch(/Ada|Lovelace|Eve|Öberg/)
    // Eve has no pseudonym, and Ada has one: nobody else sees a difference, and Eve may sign.
    expect(problem('by Eve Öberg', [bert]).replace('eve oberg', 'ada lovelace')).toBe(
      problem('by Ada Lovelace', [bert]),
    )
    expect(problem('by Eve Öberg', [eve])).toBe('')
  })

  test('no team calls itself in public after somebody under a pseudonym', async () => {
    const home = classOf()
    await wishPseudonym(home, ada, true)
    await expect(formTeam(home, 'Ada Lovelace is Amber', bert, now)).rejects.toMatchObject({ code: 'person-named' })
    const { id } = await formTeam(home, 'Berts', bert, now)
    await expect(renameTeam(home, id, 'Lovelace Ada')).rejects.toMatchObject({ code: 'person-named' })
    const staffs = changeTeam(home, { team: id, name: 'Ada Lovelace', members: [bert] }, now)
    await expect(staffs).rejects.toMatchObject({ code: 'person-named' })
    // Its own name is not public.
    expect(await formTeam(home, 'Ada Lovelace', ada, now)).toMatchObject({ called: 'Ada Lovelace' })
  })

  test('a team that does without its pseudonym takes its very name back, unless a member left with the wish', async () => {
    const home = classOf()
    const { id } = await formTeam(home, 'Berts', bert, now)
    await wishPseudonym(home, bert, true)
    const drawn = home.content.teams[0]!.name
    await wishPseudonym(home, bert, false)
    await renameTeam(home, id, 'Berts')
    expect(home.content.teams[0]).toMatchObject({ name: 'Berts', formerly: [drawn] })
    expect(home.content.teams[0]!.called).toBeUndefined()
    await wishPseudonym(home, eve, true)
    await changeTeam(home, { team: id, name: 'Berts', members: [bert, eve] }, now)
    const next = home.content.teams[0]!.name
    await changeTeam(home, { team: id, name: 'Berts', members: [bert] }, now)
    await renameTeam(home, id, 'Berts alone')
    expect(home.content.teams[0]).toMatchObject({ name: next, called: 'Berts alone' })
  })

  test('an agent that came in while its team got the pseudonym has it with the next change, and one that staff renamed stays', async () => {
    const home = classOf()
    const { id } = await formTeam(home, "Ada's best", ada, now)
    await setPseudonyms(home, true)
    await home.change(({ agents }) => void agents.push(handedIn(id, "Ada's best", 'lovelace')))
    await setPseudonyms(home, true)
    const { name } = home.content.teams[0]!
    expect(home.content.agents[0]!.manifest).toMatchObject({ name, team: name })
    await home.change(({ agents: [agent] }) => {
      agent!.manifest.name = 'Falcon'
      agent!.formerly = [...agent!.formerly!, name]
    })
    await setPseudonyms(home, true)
    expect(home.content.agents[0]!.manifest.name).toBe('Falcon')
  })

  test('drawn names of 1,000 teams are distinct, unnumbered and without words of the roster, and no agent has the name of another team', async () => {
    const home = classOf()
    await home.change((content) => {
      content.people.push(student(4, 'Ruby Robin'), student(5, 'Hazel'))
      for (let n = 0; n < 1_000; n++) {
        const id = idOf(1_000 + n)
        content.teams.push({ id, name: `Team ${n}`, members: [], formed: now.toISOString() })
        content.agents.push(handedIn(id, `Team ${n}`, `a${n}`), handedIn(id, `Team ${n}`, `b${n}`))
      }
    })
    await setPseudonyms(home, true)
    const { teams, agents } = home.content
    const names = teams.map(({ name }) => name)
    expect(new Set(names).size).toBe(1_000)
    for (const name of names) expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    expect(names.filter((name) => /Ruby|Robin|Hazel/.test(name))).toEqual([])
    expect(new Set(agents.map(({ manifest }) => manifest.name)).size).toBe(2_000)
    for (const { manifest } of agents) expect(manifest.name.replace(/ 2$/, '')).toBe(manifest.team)
  })
})

describe('contests of a team that gets a pseudonym', () => {
  const hashOf = (digit: string): string => digit.repeat(64)
  const entrants = [
    { name: 'lovelace', agent: hashOf('a') },
    { name: 'byron', agent: hashOf('b') },
    { name: "Ada's best", agent: NETWORK },
  ]
  const contest = (id: string, more: object): Classroom['contests'][number] => ({
    ...{ id, nonce: '0'.repeat(64), state: 'open' as const },
    description: contestDescription.parse({
      ...{ title: id, game: 'haggle', format: { type: 'round-robin' }, seed: 's', entrants },
    }),
    ...more,
  })
  async function hidden(): Promise<ReturnType<typeof classOf>> {
    const home = classOf()
    const { id } = await formTeam(home, "Ada's best", ada, now)
    const registered = (entrant: string, kind: 'agent' | 'network') => ({
      ...{ team: id, entrant, kind, plays: true, at: now.toISOString() },
    })
    const registration = {
      ...{ agentsATeam: 2 as const, network: true },
      entries: [registered('lovelace', 'agent'), registered("Ada's best", 'network')],
    }
    await home.change(({ agents, contests }) => {
      for (const [name, digit] of [
        ['lovelace', 'a'],
        ['byron', 'b'],
      ] as const)
        agents.push({ ...handedIn(id, "Ada's best", name), hash: hashOf(digit) })
      contests.push(contest('over', { state: 'ended', registration }))
      contests.push(contest('coming', { entriesUntil: '2027-01-01T00:00:00.000Z', registration }))
    })
    await wishPseudonym(home, ada, true)
    return home
  }

  test('one that has not begun has the pseudonym everywhere, an earlier one keeps its names', async () => {
    const { content } = await hidden()
    const { name } = content.teams[0]!
    const [over, coming] = content.contests
    expect(JSON.stringify(coming)).not.toMatch(/lovelace|byron|Ada/)
    expect(coming!.description.entrants).toEqual([
      { name, agent: hashOf('a') },
      { name: `${name} 2`, agent: hashOf('b') },
      { name, agent: NETWORK },
    ])
    expect(over!.description.entrants).toEqual(entrants)
  })

  test('no answer for others joins former names and the pseudonym: teams, shares, renamed entrants', async () => {
    const { content } = await hidden()
    const { name } = content.teams[0]!
    const [over] = content.contests
    const teams = teamsOf(content, over!.description)
    expect(teams.map(({ team }) => team)).toEqual(['lovelace', 'lovelace', "Ada's best"])
    expect(teamsOf(content, content.contests[1]!.description).map(({ team }) => team)).toEqual([name, name, name])
    const renamed = renamedEntrants({ content } as ClassFolder, over!.description)
    expect(renamed).toContainEqual({ entrant: 'lovelace', agent: name })
    const answer = { followedBy: null, phases: null, rerun: null, renamed } as unknown as ContestDetail
    const seen = (owns: boolean): ContestDetail['renamed'] =>
      narrowedContest(answer, { seesContest: () => true, ownsAgent: () => owns } as unknown as CallerView).renamed
    expect(JSON.stringify(seen(false))).not.toContain(name)
    expect(seen(true)).toEqual(renamed)
  })
})

describe('namedIn', () => {
  const people = [{ name: 'Ada Augusta Lovelace', ids: { school: '004711' } }]
  test.each([
    ['number 004711.', '004711'],
    ['number 10047110', undefined],
    ['ADA augusta Lovelace', 'ada augusta lovelace'],
    ['Lovelace, Ada', 'lovelace ada'],
    ["Ada Lovelace's agent", 'ada lovelace'],
    ['Adalovelace; Augusta, Ada and Lovelace', undefined],
  ])('%s: %s', (text, found) => {
    expect(namedIn(people, [text])).toBe(found)
  })
  test.each([
    ['王小明', '我是王小明的朋友', '王小明'],
    ['王小明', '王小', undefined],
    ['山田 太郎', '山田太郎です', '山田太郎'],
  ])('%s in %s, which is written without spaces', (name, text, found) => {
    expect(namedIn([{ name, ids: {} }], [text])).toBe(found)
  })
})
