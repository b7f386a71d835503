// A process of its own: serves a class in the middle of a term in the folder that is its first argument. Thirty students, four teams, a
// contest that was played, one with a deadline, and a case whose panel votes. Prints what `TermClass` of term-class.ts has, as JSON. At the
// end of standard input the class closes.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClassFolder } from '../../main/administrator/classroom/classroom.ts'
import { actingClass, host, personVisits, shippedSource } from '../../main/app/sample-term/class-room.ts'
import { serveClassroom } from '../../main/app/serve.ts'
import type { CaseView } from '../../main/contract/cases/case-procedures.ts'
import { teamSettings, type Penalty } from '../../main/contract/cases/cases.ts'
import type { WantedAct } from '../../main/contract/cases/case-record.ts'
import type { Visitor } from '../../main/contract/people/caller.ts'
import { contestDraft } from '../../main/contract/procedures/procedures.ts'
import { sha256 } from '../../main/histories/canonical.ts'
import { setClock } from '../../main/services/contests/recurring/set-clock.ts'

const [data = ''] = process.argv.slice(2)
// A class without anything in it would begin with the sample contest.
const begun = await openClassFolder(data)
await begun.change(({ settings }) => Object.assign(settings, { school: 'Algebra', timeZone: 'Europe/Zurich' }))
await begun.close()
const clock = setClock('2026-09-28T08:00:00.000Z')
const unexpected = (error: unknown, doing: string): void => void process.stderr.write(`${doing}: ${String(error)}\n`)
const { service, newAddress, close } = await serveClassroom({ data, port: 0, clock, onUnexpected: unexpected })
const { call, handIn: handInScript, act: actIn } = actingClass(service, clock)

/** Thirty names in six scripts. */
const names = [
  ...['Ada Lovelace', '王小明', 'Zoë Ångström', 'محمد علي', 'Ελένη Παπαδοπούλου', 'Анна Иванова', 'नेहा शर्मा'],
  ...[
    'Bruno Keller',
    'Chiara Conti',
    'Darius Novak',
    'Emil Sørensen',
    'Fatima Haddad',
    'Gustav Lindqvist',
    'Hana Sato',
  ],
  ...['Ines Moreau', 'Jakub Zieliński', 'Klára Dvořáková', 'Luca Ferrari', 'Mia Brunner', 'Noor Rahman', 'Oskar Weiss'],
  ...['Paula Costa', 'Quentin Roche', 'Rania Khoury', 'Sofia Rossi', 'Tomás Herrera', 'Una Byrne', 'Viktor Petrov'],
  ...['Wanda Maier', 'Yusuf Demir'],
]
const roster = ['name,email,section', ...names.map((name, n) => `"${name}",s${n + 1}@school.example,Algebra`)]
await call(host, 'people.import', { content: Buffer.from(roster.join('\n')).toString('base64') })
const { people } = await call(host, 'people.list', {})
const personOf = (name: string): string => people.find((each) => each.name === name)!.id
await call(host, 'people.joining', { open: true })
const [place] = await call(host, 'network.interfaces', {})
const network = await call(host, 'network.open', { host: place!.host, port: 0 })

/** The teams, each with the agent that it has begun with. */
const teams = [
  { name: 'Abacus', members: [names[0]!, names[1]!], agent: 'rosso', plays: 'baby' },
  { name: 'Quipu', members: [names[2]!, names[3]!], agent: 'azzurro', plays: 'hard' },
  { name: 'Astrolabe', members: [names[4]!, names[5]!], agent: 'verde', plays: 'conceder' },
  { name: 'Sector', members: [names[6]!], agent: 'giallo', plays: 'learner' },
]
for (const { name, members } of teams)
  await call(host, 'teams.change', { team: null, name, members: members.map(personOf) })
const [ada, zoe] = [personVisits(personOf(names[0]!)), personVisits(personOf(names[2]!))]
await call(ada, 'teams.invite', {})

const source = (name: string, of: string): string => shippedSource('haggle', name, of)

/** Hands in, and waits for the trial match. Resolves with the hash of the version. */
async function handIn(by: Visitor, content: string, more: { agent: string; contest: string | null }): Promise<string> {
  return (await handInScript(by, content, { ...more, game: 'haggle', note: 'Concedes later' })).version
}

clock.set('2026-10-01T08:00:00.000Z')
const entrants: { readonly name: string; readonly agent: string }[] = []
for (const { members, agent: name, plays } of teams) {
  const by = personVisits(personOf(members[0]!))
  entrants.push({ name, agent: await handIn(by, source(plays, name), { agent: name, contest: null }) })
}

async function addContest(title: string): Promise<string> {
  const draft = contestDraft.parse({
    ...{ title, game: 'haggle', config: {}, seed: 'Brescia', entrants },
    format: { type: 'round-robin', seats: 2, repeats: 2 },
  })
  return (await call(host, 'contests.create', { draft })).contest
}
const played = await addContest('Week 1')
await call(host, 'contests.start', { contest: played })
while ((await call(host, 'contests.get', { contest: played })).summary.state !== 'ended') await sleep(50)

// A complaint of the first team, until its panel votes.
clock.set('2026-10-02T08:00:00.000Z')
const { dossier } = await call(ada, 'dossiers.make', { title: 'The second offer of azzurro' })
const against = { what: 'agent', name: 'azzurro' } as const
/** A match in which both met. */
const { items } = await call(host, 'contests.matches', { contest: played, offset: 0, limit: 100 })
const met = items.find(({ seats }) => ['rosso', 'azzurro'].every((name) => seats.some((seat) => seat.name === name)))!
const { entries } = await call(ada, 'dossiers.keep', {
  ...{ dossier, contest: played, match: met.match, move: 2, part: null },
})
const [kept] = entries
if (kept?.kind !== 'event') throw new Error('no event')
const [rule] = await call(ada, 'dossiers.rules', { book: 'haggle' })
await call(ada, 'dossiers.addRule', { dossier, book: 'haggle', rule: rule!.rule })
const asks: Penalty = [{ type: 'points', entrant: 'azzurro', points: -1 }]
const { case: hearing } = await call(ada, 'cases.file', {
  ...{ contest: played, against, asks, settings: teamSettings.writing },
  rule: { source: 'rulebook', id: rule!.rule, text: rule!.text, sha256: sha256(rule!.text) },
  evidence: [{ reference: kept.reference, note: 'It repeats what was refused.' }],
  text: 'The second offer repeats the first one, which we had refused.',
})
const act = (by: Visitor, step: WantedAct): Promise<void> => actIn(by, hearing, step)
const caseOf = (by: Visitor): Promise<CaseView> => call(by, 'cases.get', { case: hearing })
async function untilStage(...wanted: readonly CaseView['stage'][]): Promise<CaseView> {
  for (;;) {
    const view = await caseOf(host)
    if (wanted.includes(view.stage)) return view
    await sleep(20)
  }
}
await act(host, { do: 'admitted', reason: 'The event is there.', penalties: [[], asks] })
await act(zoe, { do: 'answered', text: 'The rule allows it.', evidence: [], salt: null })
for (const side of [ada, zoe]) await act(side, { do: 'refused', person: null, salt: null })
await act(host, { do: 'ended', stage: 'answer' })
if ((await untilStage('election', 'hearing')).stage === 'election') await act(host, { do: 'ended', stage: 'election' })
const { panel, chair } = await untilStage('hearing')
/** The students of the panel, with their pseudonyms. */
const members = []
for (const { id, name } of people) {
  const { me } = await caseOf(personVisits(id))
  if (me !== null && panel.includes(me)) members.push({ id, name, me })
}
const member = members.find(({ me }) => me !== chair)!
await act(personVisits(member.id), { do: 'asked', to: 'both', text: 'Which offer was it?' })
const { n: question } = (await caseOf(host)).questions[0]!
for (const [side, text] of [
  [ada, 'The second one of azzurro.'],
  [zoe, 'The second one; it differs by an orange.'],
] as const)
  await act(side, { do: 'replied', to: question, text })
await act(personVisits(members.find(({ me }) => me === chair)!.id), { do: 'ended', stage: 'hearing' })
await untilStage('voting')

// A contest with a deadline, for which the first team hands in an agent that fails and one that works.
clock.set('2026-10-03T08:00:00.000Z')
const contest = await addContest('Autumn cup')
await call(host, 'deadlines.set', { contest, closes: '2026-10-12T20:00:00.000Z', late: 'late-days' })
await call(host, 'registrations.set', { contest, rule: { agentsATeam: 1, network: true } })
const until = '2026-10-14T20:00:00.000Z'
await call(host, 'deadlines.extend', {
  of: { who: 'person', person: personOf(names[2]!) },
  contest,
  until,
  reason: 'ill',
})
const broken = 'module.exports = class {\n  offer() {\n    throw new Error("not yet written")\n  }\n}\n'
await handIn(ada, broken, { agent: 'rosso', contest })
await handIn(ada, source('conceder', 'rosso'), { agent: 'rosso', contest })

const hasTeam = (name: string): boolean => teams.some((team) => team.members.includes(name))
const parts = {
  student: { id: personOf(names[0]!), name: names[0] },
  member,
  newcomer: people.find(({ id, name }) => id !== member.id && !hasTeam(name))!,
}
const viewers = []
for (const [part, { id: person, name }] of Object.entries(parts)) {
  const { code } = await call(host, 'people.code', { person })
  viewers.push([part, { name, code }])
}
const { classCode } = await call(host, 'people.list', {})
process.stdout.write(
  `${JSON.stringify({
    ...{ address: newAddress(), origin: network.isOpen ? network.addresses[0] : '' },
    people: Object.fromEntries(viewers) as object,
    ...{ classCode: classCode?.code, contest, played, match: met.match, dossier, hearing },
  })}\n`,
)
process.stdin.resume()
await once(process.stdin, 'end')
await close()
