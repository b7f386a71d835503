// A process of its own: serves a class of two teams and others in the folder that is its first argument, with a contest that has been
// played. Prints an address for the educator, that of the students, their codes by name, and the contest, as JSON. At the end of
// standard input the class closes.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeAgent } from '../../main/administrator/classroom/agents.ts'
import { openClassFolder } from '../../main/administrator/classroom/classroom.ts'
import { serveClassroom } from '../../main/app/serve.ts'
import { hostCaller } from '../../main/contract/people/caller.ts'
import { contestDraft } from '../../main/contract/procedures/procedures.ts'
import { resources } from '../../main/services/machine/resources.ts'

const [data = ''] = process.argv.slice(2)
const students = ['Ada', 'Bea', 'Cem', 'Dan'] as const
const idOf = (n: number): string => String(n + 1).repeat(16)
const added = '2026-09-01T08:00:00.000Z'

const home = await openClassFolder(data)
const teams = [
  { id: 'a'.repeat(16), name: 'Red', members: [idOf(0)], formed: added, plays: 'baby' },
  { id: 'b'.repeat(16), name: 'Blue', members: [idOf(1)], formed: added, plays: 'conceder' },
]
const entrants = await Promise.all(
  teams.map(async ({ plays: name }) => {
    const bytes = readFileSync(join(resources.agents, 'haggle', `${name}.js`))
    return { name, agent: (await storeAgent(data, { kind: 'script', bytes })).agent }
  }),
)
await home.change((content) => {
  content.people.push(...students.map((name, n) => ({ id: idOf(n), name, ids: {}, role: 'student' as const, added })))
  content.teams.push(...teams.map(({ plays: _, ...team }) => team))
  content.agents.push(
    ...entrants.map(({ name, agent: hash }, n) => ({
      ...{ hash, manifest: { game: 'haggle' as const, kind: 'script' as const, name } },
      ...{ owner: teams[n]!.id, submitted: added, smoke: { ok: true, text: 'Fine.' } },
    })),
  )
})
await home.close()

const { service, newAddress, close } = await serveClassroom({
  ...{ data, port: 0 },
  onUnexpected: (error, doing) => process.stderr.write(`${doing}: ${String(error)}\n`),
})
const { handlers } = service
const draft = contestDraft.parse({
  ...{ title: 'Autumn cup', game: 'haggle', config: {}, seed: 'Brescia', entrants },
  format: { type: 'round-robin', seats: 2 },
})
const { contest } = await handlers['contests.create']({ draft }, hostCaller)
await handlers['contests.start']({ contest }, hostCaller)
while ((await handlers['contests.get']({ contest }, hostCaller)).summary.state !== 'ended') await sleep(50)
const codes: Record<string, string> = {}
for (const [n, name] of students.entries())
  codes[name] = (await handlers['people.code']({ person: idOf(n) }, hostCaller)).code
const [place] = await handlers['network.interfaces']({}, hostCaller)
const network = await handlers['network.open']({ host: place!.host, port: 0 }, hostCaller)
const origin = network.isOpen ? network.addresses[0]! : ''
process.stdout.write(`${JSON.stringify({ address: newAddress(), origin, codes, contest })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await close()
