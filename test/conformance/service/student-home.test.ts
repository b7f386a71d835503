import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { Caller } from '../../../main/contract/people/caller.ts'
import {
  procedures,
  type InputOf,
  type OutputOf,
  type ProcedureName,
} from '../../../main/contract/procedures/procedures.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { callerOf } from '../../../main/services/people/callers.ts'
import { refusal, saying } from '../../refusal.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { setClock } from '../../../main/services/contests/recurring/set-clock.ts'

const place = openPlace('student-home')
const [anna, bruno, carla] = ['a', 'b', 'c'].map((digit) => digit.repeat(16)) as [string, string, string]
const [red, blue] = ['d'.repeat(16), 'e'.repeat(16)]
/** Agrees to everything. */
const soft =
  'module.exports = class { constructor(me, counts, values) { this.all = counts } offer(o) { return o === undefined ? this.all : undefined } }\n'
/** Plays once for its trial match and fails afterwards. */
const failing = 'module.exports = class { offer() { throw new Error("rule 7 of mine") } }\n'

let room: Room
let contest: string
let later: string
beforeAll(async () => {
  const data = join(place.folder, 'data')
  const home = await openClassFolder(data)
  await home.change(({ people, teams, settings }) => {
    settings.isolation = 'none'
    for (const id of [anna, bruno, carla])
      people.push({ id, name: id.slice(0, 1), ids: {}, role: 'student', added: '2026-11-01T08:00:00.000Z' })
    teams.push({ id: red, name: 'Red', members: [anna], formed: '2026-11-01T08:00:00.000Z' })
    teams.push({ id: blue, name: 'Blue', members: [bruno], formed: '2026-11-01T08:00:00.000Z' })
  })
  await home.close()
  room = await openRoom(data, false, { clock: setClock('2026-11-25T08:00:00.000Z') })
  const given = { game: 'haggle', wait: false } as const
  const first = await room.submit({ fileName: 'rosso.js', content: soft, ...given })
  const second = await room.submit({
    ...{ fileName: 'rosso.js', content: failing, ...given },
    becomes: { what: 'version', of: 'rosso' },
  })
  const other = await room.submit({ fileName: 'azzurro.js', content: `${soft}// blue\n`, ...given })
  await room.service.accounts.home.change(({ agents }) => {
    for (const version of agents) version.owner = version.manifest.name === 'rosso' ? red : blue
  })
  const opponent = { name: 'azzurro', agent: other.versions[0]!.agent }
  const rules = { game: 'haggle', config: {}, isolation: 'none', format: { type: 'round-robin', seats: 2, repeats: 4 } }
  const play = async (title: string, agent: string): Promise<string> => {
    await room.service.accounts.home.change(({ agents }) => {
      for (const version of agents)
        if (version.manifest.name === 'rosso' && version.hash !== agent) version.inactive = 'withdrawn'
        else delete version.inactive
    })
    const draft = draftOf([{ name: 'rosso', agent }, opponent], { ...rules, title } as object)
    const made = await room.call('contests.create', { draft })
    await room.call('contests.start', made)
    await room.until(made.contest, ({ summary }) => summary.state === 'ended')
    return made.contest
  }
  await play('Week 1', first.versions[0]!.agent)
  contest = await play('Week 2', second.versions[0]!.agent)
  const coming = await room.call('contests.create', {
    draft: draftOf([{ name: 'rosso', agent: second.versions[0]!.agent }, opponent], {
      ...rules,
      title: 'Week 3',
    } as object),
  })
  later = coming.contest
  await room.call('deadlines.set', { contest: later, closes: '2026-11-26T20:00:00.000Z', late: 'closed' })
  await room.call('deadlines.extend', {
    ...{ of: { who: 'team', team: red }, contest: later, until: '2026-11-27T20:00:00.000Z', reason: 'PRIVATE' },
  })
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

function as<N extends ProcedureName>(person: string, name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const handler: (input: never, caller: Caller) => Promise<unknown> = room.service.handlers[name]
  const caller: Caller = callerOf(room.service.accounts.home.content, {
    ...{ kind: 'session', person, session: 's', isTerminal: false },
  } as const)
  return handler(procedures[name].input.parse(input) as never, caller) as Promise<OutputOf<N>>
}

test('the home has deadlines, places, faults by version, what got worse, news and coming matches', async () => {
  const home = await as(anna, 'student.home', { since: null })
  expect(home.team).toEqual({ name: 'Red' })
  expect(home.due).toMatchObject([{ contest: later, deadline: { closing: { at: '2026-11-27T20:00:00.000Z' } } }])
  expect(home.agents).toHaveLength(1)
  const [own] = home.agents
  expect(own).toMatchObject({ agent: 'rosso', newest: { number: 2 }, plays: 2, compared: { now: 2, before: 1 } })
  const standings = await room.call('contests.standings', { contest, offset: 0, limit: 10 })
  const row = standings.items.find(({ agent }) => agent === 'rosso')!
  expect(own!.placings.map(({ title }) => title)).toEqual(['Week 2', 'Week 1'])
  expect(own!.placings[0]).toMatchObject({ contest, rank: row.rank, of: 2, version: 2, isOver: true })
  expect(own!.faults[0]).toMatchObject({ version: 2, groups: [{ kind: 'crash', newest: { contest } }] })
  expect(own!.faults[0]!.groups[0]!.text).toContain('of mine')
  expect(own!.weak.find(({ kind }) => kind === 'opponent')).toMatchObject({
    part: 'azzurro',
    contest,
    entrant: 'rosso',
  })
  for (const { now, before } of own!.weak) expect(now.mean).toBeLessThan(before.mean)
  expect(home.news.map(({ what }) => what).sort()).toEqual([
    'announced',
    'announced',
    'announced',
    'extension',
    'over',
    'over',
  ])
  expect(JSON.stringify(home)).not.toContain('PRIVATE')
  expect(home.coming).toMatchObject([{ contest: later, matches: [] }])
})

test('another team has its own home, nobody new has news of the past, and without a team there is none of an agent', async () => {
  const [his] = (await as(bruno, 'student.home', { since: null })).agents
  expect(his).toMatchObject({ agent: 'azzurro', faults: [], compared: null, weak: [] })
  const { news } = await as(bruno, 'student.news', { since: null })
  expect(news.some(({ what }) => what === 'extension')).toBe(false)
  expect((await as(bruno, 'student.news', { since: '2099-01-01T00:00:00.000Z' })).news).toEqual([])
  const alone = await as(carla, 'student.home', { since: null })
  expect(alone).toMatchObject({ team: null, attempts: null, agents: [], coming: [] })
})

test('an entrant that was removed from every match is on the page of the contest and needs attention, with the reason in its histories', async () => {
  const { notices, tables } = await room.call('contests.get', { contest })
  expect(notices).toContainEqual(saying('rosso', 'rule 7 of mine'))
  expect(tables.removals).toMatchObject([{ agent: 'rosso', reason: saying('rule 7 of mine') }])
  const { attention } = await room.call('class.overview', {})
  expect(attention).toContainEqual(expect.objectContaining({ text: saying('Week 2', 'rosso', 'rule 7 of mine') }))
  expect(attention).not.toContainEqual(expect.objectContaining({ text: saying('Week 1', 'rosso') }))
})

test('a complaint against an agent of a team is news for that team alone', async () => {
  const [rule] = await room.call('dossiers.rules', { book: 'haggle' })
  const { dossier } = await room.call('dossiers.make', { title: 'Evidence' })
  const { entries } = await room.call('dossiers.keep', { dossier, contest, match: 0, move: 1, part: null })
  const [kept] = entries
  if (kept?.kind !== 'event') throw new Error('no event')
  const filed = await room.call('cases.file', {
    ...{
      contest,
      against: { what: 'agent', name: 'rosso' },
      evidence: [{ reference: kept.reference }],
      text: 'It broke it.',
    },
    ...{ asks: [{ type: 'warning', entrant: 'rosso' }], settings: defaultSettings.writing },
    rule: { source: 'rulebook', id: rule!.rule, text: rule!.text, sha256: sha256(rule!.text) },
  })
  const ofCases = async (person: string) =>
    (await as(person, 'student.news', { since: null })).news.filter(({ what }) => what === 'case')
  expect(await ofCases(anna)).toMatchObject([{ case: filed.case, agent: 'rosso', contest, title: 'Week 2' }])
  expect([await ofCases(bruno), await ofCases(carla)]).toEqual([[], []])
})

test('the largest losses are those of the replayed matches, at their very events', async () => {
  const losses = await as(bruno, 'student.losses', {})
  expect(losses.length).toBeGreaterThan(0)
  expect(losses.length).toBeLessThanOrEqual(5)
  for (const { contest: of, match, seat, event, amount, round } of losses) {
    // A page ends where the match has been read so far.
    for (let from = 0, found = false; !found;) {
      const page = await room.call('matches.outline', { source: { from: 'contest', contest: of, match }, from })
      found = from + page.at.length >= event
      if (found) {
        expect(page.swings).toContainEqual(expect.objectContaining({ seat, amount, event: event - 1 }))
        expect(page.round[event - 1 - from]).toBe(round)
      } else expect(page.last).toBe(false)
      from += page.at.length
    }
    expect(amount).toBeLessThan(0)
  }
  const mine = await as(anna, 'student.losses', {})
  for (const loss of mine) expect(loss).toMatchObject({ agent: 'rosso', contest, against: ['azzurro'] })
  expect([...mine].sort((a, b) => a.amount - b.amount)).toEqual(mine)
})

test('a practice match is played like a trial match, counts, and is open to its team and staff alone', async () => {
  const mine = { team: null }
  const { agents, left } = await as(anna, 'practice.get', mine)
  const [own] = agents
  const first = own!.versions.find(({ label }) => label === 'version 1')!
  const baby = own!.opponents.find(({ label }) => label === 'baby')!
  const wish = { name: 'rosso', agent: first.agent, opponent: baby.agent }
  const { match } = await as(anna, 'practice.begin', wish)
  const played = await vi.waitFor(
    async () => {
      const { matches } = await as(anna, 'practice.get', mine)
      expect(matches[0]?.state).not.toBe('waiting')
      return matches[0]
    },
    { timeout: 60_000, interval: 200 },
  )
  expect(played).toMatchObject({
    id: match,
    agent: 'rosso',
    version: 1,
    against: 'baby',
    state: 'played',
    isKept: true,
  })
  expect(await as(anna, 'practice.get', mine)).toMatchObject({ used: 1, left: left - 1 })
  for (const open of [
    as(anna, 'practice.match', { ...mine, match }),
    room.call('practice.match', { team: red, match }),
  ]) {
    const { file } = await open
    const { facts } = await room.call('matches.get', { source: { from: 'file', file } })
    expect(facts.seats.map(({ name }) => name)).toEqual(['rosso', 'baby'])
  }
  await expect(as(bruno, 'practice.match', { ...mine, match })).rejects.toThrow(refusal('match-unknown'))
  await expect(as(bruno, 'practice.begin', wish)).rejects.toThrow(refusal('agent-version-unknown', 'rosso'))
  expect((await as(bruno, 'practice.get', mine)).matches).toEqual([])
  // Nothing of it is among the contests and results of the class.
  expect(room.service.accounts.home.content.contests).toHaveLength(3)
})
