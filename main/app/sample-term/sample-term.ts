import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { teamSettings, type Penalty } from '../../contract/cases/cases.ts'
import type { Visitor } from '../../contract/people/caller.ts'
import { contestDraft } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ApartTier } from '../../contract/limits.ts'
import { sha256 } from '../../histories/canonical.ts'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { inNewFolder } from '../../services/archive/new-folder.ts'
import { setClock, type SetClock } from '../../services/contests/recurring/set-clock.ts'
import { chooseTier } from '../../services/machine/isolation.ts'
import { openClassroom } from '../classroom-service.ts'
import { actingClass, host, personVisits, shippedSource, type ActingClass } from './class-room.ts'
import { brokenAgent, cupAgent, games, gradingScheme, roster, teams, titles, type Played } from './script.ts'

/** The parts of a sample term, by their ids. */
export interface SampleTerm {
  /** Oldest first; the last one has a deadline to come. */
  readonly contests: readonly string[]
  readonly closedCase: string
  readonly openCase: string
}

const DAY = 86_400_000

/** The state of the making. */
interface Making extends ActingClass {
  readonly clock: SetClock
  /** By name. */
  readonly people: ReadonlyMap<string, string>
  /** The weakest isolation that the contests of its weeks accept. */
  readonly weakest: ApartTier
  /** 08:00 UTC of a day of the term, from 0; ISO 8601. */
  on(day: number): string
}

/**
 * Makes a class in the sixth week of its term in a new folder: eight teams, three contests of two games that were played and one with a deadline to
 * come, an extension, a failed hand-in, a case that was closed after an appeal and an open one, grades that were released before the ruling of that appeal, and an archive of week 5. People, agents and seeds of contests are always the same; keys and
 * nonces are new. All is done by the calls of the window. `now`: ms since the epoch. Throws ExpectedError and MachineError; nothing is made then.
 */
export async function makeSampleTerm(data: string, now: number, onStep: (step: string) => void): Promise<SampleTerm> {
  return inNewFolder(data, async (growing) => {
    const first = Math.floor(now / DAY) * DAY + 8 * 3_600_000 - 37 * DAY
    const on = (day: number): string => new Date(first + day * DAY).toISOString()
    const weakest = await weakestHere()
    // Otherwise it would begin with the sample contest.
    const begun = await openClassFolder(growing)
    await begun.change(({ settings }) => {
      Object.assign(settings, {
        school: 'Algebra',
        timeZone: 'Europe/Zurich',
        tourSeen: true,
        kitGiven: true,
        game: games.offers.game,
        isolation: weakest,
      })
      settings.terms = [{ name: 'Sample term', from: on(0) }]
    })
    await begun.close()
    const clock = setClock(on(0))
    const service = await openClassroom({ data: growing, clock, sample: false })
    try {
      onStep('people and teams')
      const acting = actingClass(service, clock)
      const making: Making = { ...acting, clock, on, people: await enrol(acting), weakest }
      const term = await weeks(making, growing, now, onStep)
      // Agents that are handed in from now on are not ours.
      await acting.call(host, 'settings.set', { isolation: 'bubblewrap' })
      return term
    } finally {
      await service.close()
    }
  })
}

/**
 * The weakest isolation that the agents of the sample term need here: that of every class, or Node's permission model where there is nothing
 * stronger, since they ship with Tartaglia.
 */
async function weakestHere(): Promise<ApartTier> {
  try {
    await chooseTier('bubblewrap')
    return 'bubblewrap'
  } catch (error) {
    if (error instanceof ExpectedError && error.code === 'isolation-unavailable') return 'permission'
    throw error
  }
}

/** Adds the people and their teams. Returns the ids of people by name. */
async function enrol({ call }: ActingClass): Promise<ReadonlyMap<string, string>> {
  await call(host, 'people.import', { content: Buffer.from(roster).toString('base64') })
  const people = new Map((await call(host, 'people.list', {})).people.map(({ id, name }) => [name, id]))
  for (const { name, members } of teams)
    await call(host, 'teams.change', { team: null, name, members: members.map((each) => people.get(each)!) })
  return people
}

async function weeks(making: Making, data: string, now: number, onStep: (step: string) => void): Promise<SampleTerm> {
  const { clock, on } = making
  onStep('week 1: agents')
  clock.set(on(4))
  await handInAll(making, 'offers')
  onStep('week 2: the first contest')
  clock.set(on(8))
  const first = await addContest(making, titles.first, 'offers')
  await making.play(first)
  onStep('week 4: agents for another game, a contest, a case about the first one')
  clock.set(on(24))
  await handInAll(making, 'rivers')
  const second = await addContest(making, titles.second, 'rivers')
  await making.play(second)
  clock.set(on(26))
  const closedCase = await rejectedCase(making, first, on(29))
  onStep('week 5: the return match')
  clock.set(on(30))
  const third = await addContest(making, titles.third, 'offers')
  await making.play(third)
  onStep('week 5: grades, and an archive')
  clock.set(on(31))
  await grade(making)
  await keepArchive(making, data)
  onStep('week 5: an appeal, after which released grades would be others')
  await winAppeal(making, closedCase, on(34))
  onStep('week 6: an open case, a contest with a deadline')
  clock.set(on(36))
  const openCase = await openedCase(making, third)
  const cup = await announceCup(making)
  clock.set(new Date(now).toISOString())
  return { contests: [first, second, third, cup], closedCase, openCase }
}

const captain = ({ people }: Making, team: number): Visitor => personVisits(people.get(teams[team]!.members[0]!)!)
/** An agent plays one game. */
const agentOf = (team: number, played: Played): string => `${teams[team]!.agent}${games[played].suffix}`

async function handInAll(making: Making, played: Played): Promise<void> {
  const { game } = games[played]
  for (const [n, { plays, name }] of teams.entries())
    await making.handIn(captain(making, n), shippedSource(game, plays[played], name), {
      ...{ agent: agentOf(n, played), game, contest: null },
    })
}

async function addContest({ call, weakest }: Making, title: string, played: Played): Promise<string> {
  const { game, config } = games[played]
  const entrants: { name: string; agent: string }[] = []
  for (const n of teams.keys()) {
    const { name, versions } = await call(host, 'agents.get', { name: agentOf(n, played) })
    entrants.push({ name, agent: versions[0]!.agent })
  }
  const draft = contestDraft.parse({
    ...{ title, game, config, seed: `Sample term, ${title}`, entrants, isolation: weakest },
    format: { type: 'round-robin', seats: 2, repeats: 1 },
  })
  return (await call(host, 'contests.create', { draft })).contest
}

/** Files a complaint of the first team against the agent of the second, with an event of a match of both. */
async function file(making: Making, contest: string, text: string): Promise<{ id: string; asks: Penalty }> {
  const { call } = making
  const by = captain(making, 0)
  const [own, other] = [agentOf(0, 'offers'), agentOf(1, 'offers')]
  const { dossier } = await call(by, 'dossiers.make', { title: text.slice(0, 60) })
  const { items } = await call(host, 'contests.matches', { contest, offset: 0, limit: 100 })
  const met = items.find(({ seats }) => [own, other].every((name) => seats.some((seat) => seat.name === name)))!
  const { entries } = await call(by, 'dossiers.keep', { dossier, contest, match: met.match, move: 2, part: null })
  const [kept] = entries
  if (kept?.kind !== 'event') throw new Error('the second event of a match is kept')
  const [rule] = await call(by, 'dossiers.rules', { book: games.offers.game })
  await call(by, 'dossiers.addRule', { dossier, book: games.offers.game, rule: rule!.rule })
  const asks: Penalty = [{ type: 'points', entrant: other, points: -1 }]
  const filed = await call(by, 'cases.file', {
    ...{ contest, against: { what: 'agent', name: other }, asks, settings: teamSettings.writing, text },
    rule: { source: 'rulebook', id: rule!.rule, text: rule!.text, sha256: sha256(rule!.text) },
    evidence: [{ reference: kept.reference, note: 'It repeats what was refused.' }],
  })
  return { id: filed.case, asks }
}

/** From the admission to the hearing: the other side answers, and both refuse nobody. `asks` null: it is an appeal, which was admitted and answered. */
async function toHearing(making: Making, id: string, asks: Penalty | null): Promise<void> {
  const [filer, other] = [captain(making, 0), captain(making, 1)]
  if (asks !== null) {
    await making.act(host, id, { do: 'admitted', reason: 'The event is there.', penalties: [[], asks] })
    await making.act(other, id, { do: 'answered', text: 'The rule allows it.', evidence: [], salt: null })
  }
  for (const side of [filer, other]) await making.act(side, id, { do: 'refused', person: null, salt: null })
  await making.act(host, id, { do: 'ended', stage: 'answer' })
  await making.untilStage(id, 'hearing')
}

/** The words of both sides in a hearing, and the ruling. */
interface Judged {
  readonly said: readonly [filer: string, other: string]
  readonly isBroken: boolean
  readonly text: string
}

/** From the hearing to the ruling of its panel: all members vote alike, and the chair writes. `at`: the time at which the chair ends the hearing. */
async function judge(making: Making, id: string, at: string, { said, isBroken, text }: Judged): Promise<void> {
  for (const [team, words] of said.entries())
    await making.act(captain(making, team), id, { do: 'replied', to: null, text: words })
  making.clock.set(at)
  await making.endHearing(id, [...making.people.values()])
  const panel = await making.panelOf(id, [...making.people.values()])
  await making.vote(id, panel, isBroken ? 'yes' : 'no', text)
  const { chair } = await making.untilStage(id, 'ruling')
  const writer = panel.find(({ me }) => me === chair)
  if (writer === undefined) await making.lapse(id)
  else await making.act(writer.by, id, { do: 'ruled', broken: isBroken, penalty: isBroken ? 1 : 0, text })
}

/** A case that is not upheld; there is time for an appeal still. */
async function rejectedCase(making: Making, contest: string, at: string): Promise<string> {
  const { id, asks } = await file(making, contest, 'The second offer repeats the first one, which we had refused.')
  await toHearing(making, id, asks)
  await judge(making, id, at, {
    said: ['Both offers are the same but for one orange.', 'One orange is a difference.'],
    ...{ isBroken: false, text: 'Equal means equal, and one orange is a difference.' },
  })
  await making.untilStage(id, 'appeal')
  return id
}

/** The appeal against that ruling: a second panel upholds the complaint and takes a point, and the case is closed. */
async function winAppeal(making: Making, id: string, at: string): Promise<void> {
  const text = 'The rule speaks of offers of equal worth, and an orange was worth nothing to us.'
  await making.act(captain(making, 0), id, { do: 'appealed', text, salt: null })
  await toHearing(making, id, null)
  await judge(making, id, at, {
    said: ['We had three oranges too many.', 'Nobody could know that.'],
    ...{ isBroken: true, text: 'An orange changes nothing for them; one point is taken.' },
  })
  let view = await making.untilStage(id, 'ruling', 'appeal', 'closed')
  while (view.stage !== 'closed') view = await making.lapse(id)
}

/** A scheme with bands, a grade by hand, and the release of all grades. */
async function grade({ call, people }: Making): Promise<void> {
  await call(host, 'grades.setScheme', { scheme: gradingScheme })
  const [, ill] = teams.map(({ members }) => people.get(members[0]!)!)
  await call(host, 'grades.setManual', {
    person: ill!,
    manual: { value: 80, reason: 'oral exam in place of week 4' },
  })
  await call(host, 'grades.release', {})
}

/** Exports the class, and keeps the file among the classes of earlier times. */
async function keepArchive({ call }: Making, data: string): Promise<void> {
  const { download, fileName } = await call(host, 'classes.export', { recipient: null })
  const pieces: Buffer[] = []
  for (let isLast = false; !isLast;) {
    const { content, last } = await call(host, 'downloads.piece', { download })
    pieces.push(Buffer.from(content, 'base64'))
    isLast = last
  }
  await mkdir(join(data, 'earlier'), { mode: PRIVATE_FOLDER })
  await writeFile(join(data, 'earlier', fileName), Buffer.concat(pieces), { mode: PRIVATE_FILE })
}

async function openedCase(making: Making, contest: string): Promise<string> {
  const { id, asks } = await file(making, contest, 'It offered what we had refused twice.')
  await toHearing(making, id, asks)
  const [member] = await making.panelOf(id, [...making.people.values()])
  if (member !== undefined) await making.act(member.by, id, { do: 'asked', to: 'both', text: 'Which offer was it?' })
  return id
}

/** A contest with a deadline to come, an extension, and the first team's hand-ins: one that fails and one that works. */
async function announceCup(making: Making): Promise<string> {
  const { call, on, people } = making
  // Others hand in to it, so it accepts nothing weaker than any new contest.
  const cup = await addContest({ ...making, weakest: 'bubblewrap' }, titles.cup, 'offers')
  await call(host, 'deadlines.set', { contest: cup, closes: on(46), late: 'late-days' })
  await call(host, 'registrations.set', { contest: cup, rule: { agentsATeam: 1, network: true } })
  const ill = people.get(teams[1]!.members[0]!)!
  await call(host, 'deadlines.extend', {
    ...{ of: { who: 'person', person: ill }, contest: cup, until: on(48), reason: 'ill' },
  })
  const agent = agentOf(0, 'offers')
  const { game } = games.offers
  const to = { agent, game, contest: cup }
  await making.handIn(captain(making, 0), brokenAgent, to)
  await making.handIn(captain(making, 0), shippedSource(game, cupAgent, teams[0]!.name), to)
  return cup
}
