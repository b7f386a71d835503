// A process of its own: serves the class in the folder that is its first argument, at the time that is its second. Prints an address
// for the educator and the id of an announced contest as JSON. Each line on standard input is a later time; at its end the class closes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { serveClassroom, type ServedClassroom } from '../../main/app/serve.ts'
import { hostCaller } from '../../main/contract/people/caller.ts'
import { contestDraft } from '../../main/contract/procedures/procedures.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { setClock } from '../../main/services/contests/recurring/set-clock.ts'

const [data = '', begin = ''] = process.argv.slice(2)
const clock = setClock(begin)
const classroom = await serveClassroom({
  ...{ data, port: 0, clock },
  onUnexpected: (error, doing) => process.stderr.write(`${doing}: ${String(error)}\n`),
})
const contest = await announceContest(classroom)
process.stdout.write(`${JSON.stringify({ address: classroom.newAddress(), contest })}\n`)
for await (const time of createInterface({ input: process.stdin })) clock.set(time)
await classroom.close()

/** Adds a contest of Haggling with two agents of the house. */
async function announceContest({ service: { handlers, takePackage } }: ServedClassroom): Promise<string> {
  await handlers['settings.set']({ timeZone: 'Europe/Zurich' }, hostCaller)
  const entrants = []
  for (const name of ['baby', 'conceder']) {
    const source = readFileSync(join(resources.agents, 'haggle', `${name}.js`))
    const { file } = await takePackage(`${name}.js`, Readable.from([source]))
    const { versions } = await handlers['agents.submit'](
      { file, game: 'haggle', belonging: {}, becomes: { what: 'agent', name: null }, wait: false },
      hostCaller,
    )
    entrants.push({ name, agent: versions[0]!.agent })
  }
  const draft = contestDraft.parse({
    ...{ title: 'Autumn cup', game: 'haggle', config: {}, seed: 'Brescia', entrants },
    format: { type: 'round-robin', seats: 2 },
    limits: { startMs: 120_000, moveMs: 120_000 },
  })
  return (await handlers['contests.create']({ draft }, hostCaller)).contest
}
