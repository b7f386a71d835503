import { describe, expect, test } from 'vitest'
import { personNamedIn } from '../../../main/contract/people/pseudonyms.ts'
import type { Person } from '../../../main/contract/people/people.ts'
import { classroom, type Classroom } from '../../../main/contract/procedures/classroom.ts'
import { becomesOf } from '../../../main/services/hand-in/receive.ts'
import {
  checkNamesNobody,
  pseudonymsOf,
  setPseudonyms,
  wishPseudonym,
} from '../../../main/services/people/pseudonyms.ts'
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
    expect(become('ada-bot')).toEqual({ what: 'agent', name: `${team.name} 2` })
    expect(becomesOf(home.content, { game: 'punter', team, agent: null })).toEqual({
      ...{ what: 'agent', name: `${team.name} 2` },
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
    const check = (text: string): void => checkNamesNobody(home.content, [text])
    expect(() => check('Ada Lovelace')).not.toThrow()
    await wishPseudonym(home, ada, true)
    expect(() => check('By ada  LOVELACE, 2026')).toThrow(refusal('person-named', 'Ada Lovelace'))
    expect(() => check('By Eve Öberg')).not.toThrow()
    await setPseudonyms(home, true)
    expect(() => check('by eve oberg.')).toThrow(refusal('person-named'))
    expect(() => check('mail Eve@School.example, please')).toThrow(refusal('person-named'))
    expect(() => check('Bert')).toThrow(refusal('person-named', 'Bert'))
    expect(() => check('Ada and Lovelace; Robert; bert; eve')).not.toThrow()
  })
})

test('personNamedIn finds identifiers as words alone', () => {
  const people = [{ name: 'Ada Lovelace', ids: { school: '004711' } }]
  expect(personNamedIn(people, ['number 004711.'])).toBe(people[0])
  expect(personNamedIn(people, ['number 10047110'])).toBeUndefined()
  expect(personNamedIn(people, ['Adalovelace', 'Lovelace Ada'])).toBeUndefined()
})
