// A process of its own: serves the sample term that lies in the folder that is its first argument, at the moment at which it was made.
// Before that it adds what nobody finds in a class that nobody has signed in to: a network, one-time codes, a code of the class, a student
// without a team; and the panel of the open case votes. Prints what `TermClass` of term-class.ts has, as JSON. At the end of standard
// input the class closes.
import { once } from 'node:events'
import { actingClass, host, personVisits } from '../../main/app/sample-term/class-room.ts'
import { serveClassroom } from '../../main/app/serve.ts'
import { setClock } from '../../main/services/contests/recurring/set-clock.ts'
import { sampleTermNow } from './sample-term-now.ts'

const [data = ''] = process.argv.slice(2)
const clock = setClock(sampleTermNow)
const unexpected = (error: unknown, doing: string): void => void process.stderr.write(`${doing}: ${String(error)}\n`)
const { service, newAddress, close } = await serveClassroom({ data, port: 0, clock, onUnexpected: unexpected })
const { act, call, endHearing, panelOf, untilStage } = actingClass(service, clock)

const newcomer = 'Oskar Weiss'
const roster = `name,email,section\n"${newcomer}",new@school.example,Algebra\n`
await call(host, 'people.import', { content: Buffer.from(roster).toString('base64') })
const { people } = await call(host, 'people.list', {})
const idOf = (name: string): string => people.find((each) => each.name === name)!.id
await call(host, 'people.joining', { open: true })
const [place] = await call(host, 'network.interfaces', {})
const network = await call(host, 'network.open', { host: place!.host, port: 0 })

const { items: cases } = await call(host, 'cases.list', { contest: null, search: '', offset: 0, limit: 10 })
const { case: hearing } = cases.find(({ stage }) => stage === 'hearing')!
const { contest: played, questions } = await call(host, 'cases.get', { case: hearing })
const everybody = people.map(({ id }) => id)
const [ada, other] = ['Ada Lovelace', '王小明'].map((name) => personVisits(idOf(name)))
for (const [side, text] of [
  [ada!, 'The second one of azzurro.'],
  [other!, 'The second one; it differs by an orange.'],
] as const)
  await act(side, hearing, { do: 'replied', to: questions[0]!.n, text })
await endHearing(hearing, everybody)
const { chair } = await untilStage(hearing, 'voting')
const students = people.filter(({ role }) => role === 'student').map(({ id }) => id)
const [juror] = (await panelOf(hearing, students)).filter(({ me }) => me !== chair)
const member = juror!.by.kind === 'session' ? juror!.by.person : ''
await call(ada!, 'teams.invite', {})
const [dossier] = await call(ada!, 'dossiers.list', {})
const { items: matches } = await call(host, 'contests.matches', { contest: played, offset: 0, limit: 100 })
const met = matches.find(({ seats }) => ['rosso', 'azzurro'].every((name) => seats.some((seat) => seat.name === name)))!
const open = await call(host, 'contests.list', { offset: 0, limit: 10, search: 'Winter cup' })

const parts = { student: idOf('Ada Lovelace'), member, newcomer: idOf(newcomer) }
const viewers = []
for (const [part, person] of Object.entries(parts)) {
  const { code } = await call(host, 'people.code', { person })
  viewers.push([part, { name: people.find(({ id }) => id === person)!.name, code }])
}
const { classCode } = await call(host, 'people.list', {})
process.stdout.write(
  `${JSON.stringify({
    ...{ address: newAddress(), origin: network.isOpen ? network.addresses[0] : '' },
    people: Object.fromEntries(viewers) as object,
    ...{ classCode: classCode?.code, contest: open.items[0]!.contest, played, match: met.match },
    ...{ dossier: dossier!.dossier, hearing },
  })}\n`,
)
process.stdin.resume()
await once(process.stdin, 'end')
await close()
