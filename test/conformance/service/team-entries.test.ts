import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { beginSession } from '../../../main/administrator/people/sessions.ts'
import { createServiceDesk, type ServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import type { InputOf, OutputOf, ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { listenHttp, type Listening } from '../../hostile/players/web.ts'
import { bridge, dial } from '../network/client.ts'
import { agentFile } from '../network/contest.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { setClock, type SetClock } from '../../../main/services/contests/recurring/set-clock.ts'

const place = openPlace('team-entries')
afterAll(() => place.remove())

const CLOSES = '2026-11-26T20:00:00.000Z'
const added = '2026-11-01T08:00:00.000Z'
const roles = { teacher: 'educator', helper: 'assistant', anna: 'student', bruno: 'student' } as const
type Name = keyof typeof roles
const idOf = (name: Name): string => Buffer.from(name.padEnd(8, '-')).toString('hex')

let room: Room
let clock: SetClock
let desk: ServiceDesk
let visitors: Readonly<Record<Name, Visitor>>
let contest: string
let count = 0
beforeEach(async () => {
  const data = join(place.folder, String(++count))
  const home = await openClassFolder(data)
  const names = Object.keys(roles) as Name[]
  await home.change(({ people, teams, settings }) => {
    settings.isolation = 'none'
    people.push(...names.map((name) => ({ id: idOf(name), name, ids: {}, role: roles[name] as Role, added })))
    teams.push({ id: 'd'.repeat(16), name: 'Red', members: [idOf('anna')], formed: added })
    teams.push({ id: 'e'.repeat(16), name: 'Blue', members: [idOf('bruno')], formed: added })
  })
  await home.close()
  // Sessions end after twelve hours.
  clock = setClock('2026-11-26T10:00:00.000Z')
  room = await openRoom(data, false, { clock })
  const { accounts } = room.service
  const visitor = (name: Name): Visitor => {
    const begun = beginSession(
      accounts.people,
      { person: idOf(name), kind: 'browser', address: '', agent: '' },
      accounts.now(),
    )
    return { kind: 'session', person: idOf(name), session: begun.id, isTerminal: false }
  }
  visitors = Object.fromEntries(names.map((name) => [name, visitor(name)])) as typeof visitors
  desk = createServiceDesk(room.service, (error) => {
    throw error
  })
  const shipped = await Promise.all(
    ['baby', 'hard'].map(async (name) => {
      const content = readFileSync(join(resources.agents, 'haggle', `${name}.js`))
      const { versions } = await room.submit({ fileName: `${name}.js`, content, game: 'haggle', wait: true })
      return { name, agent: versions[0]!.agent }
    }),
  )
  const draft = draftOf(shipped, { title: 'Cup', game: 'haggle', config: {}, isolation: 'none' })
  ;({ contest } = await as('teacher', 'contests.create', { draft }))
  await as('teacher', 'deadlines.set', { contest, closes: CLOSES, late: 'closed' })
  await as('teacher', 'registrations.set', { contest, rule: { agentsATeam: 1, network: true } })
})
afterEach(() => room.service.close())

/** Calls as somebody who has signed in: the desk admits them, as the portal's own does. Rejects with the refusal. */
async function as<N extends ProcedureName>(who: Name, name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const admitted = desk.admit(name, input, visitors[who])
  const reply = admitted.ok ? await admitted.value.run() : admitted
  if (!reply.ok) throw Object.assign(new Error(reply.error.message), reply.error)
  return reply.value as OutputOf<N>
}

/** Closes the entries, starts the contest, and waits until its matches are over. `meanwhile`: once it has begun. */
async function play(meanwhile: () => Promise<void> = async () => undefined): Promise<OutputOf<'contests.get'>> {
  clock.set('2026-11-26T20:00:00.001Z')
  await as('teacher', 'contests.closeEntries', { contest })
  await as('teacher', 'contests.start', { contest })
  await meanwhile()
  return room.until(contest, ({ summary }) => summary.state === 'ended')
}

/** Everything that the class keeps. */
function keptBytes(): string {
  return readdirSync(room.data, { withFileTypes: true, recursive: true })
    .flatMap((each) => (each.isFile() ? [readFileSync(join(each.parentPath, each.name), 'latin1')] : []))
    .join('\n')
}

test('a student registers an agent of the team’s own machine; the team alone gets its credentials, once, and it plays', async () => {
  await as('anna', 'registrations.register', { contest, team: null, agent: null })
  // Nobody acts for another team.
  await expect(
    as('bruno', 'registrations.register', { contest, team: 'd'.repeat(16), agent: null }),
  ).rejects.toMatchObject({ code: 'refused' })
  const { entrant, credentials } = await as('anna', 'registrations.credentials', { contest })
  expect([entrant, credentials.length]).toEqual(['Red', 1])
  const [credential] = credentials as [string]

  for (const who of ['teacher', 'helper'] as const)
    await expect(as(who, 'registrations.credentials', { contest })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(as('bruno', 'registrations.credentials', { contest })).rejects.toMatchObject({
    reason: 'entrant-unknown',
  })
  const whoKnows = async (): Promise<readonly string[]> => {
    const seen = (Object.keys(roles) as Name[]).map(async (who) => {
      const answers = [
        await as(who, 'registrations.get', { contest }),
        await as(who, 'contests.get', { contest }),
        await as(who, 'class.overview', {}),
      ]
      return JSON.stringify(answers).includes(credential) ? [who] : []
    })
    return (await Promise.all(seen)).flat()
  }
  expect(await whoKnows()).toEqual([])
  expect(keptBytes()).not.toContain(credential)
  const shownTo = async (who: Name): Promise<boolean | undefined> =>
    (await as(who, 'registrations.get', { contest })).entries[0]?.hasCredentials
  expect(await Promise.all([shownTo('anna'), shownTo('bruno')])).toEqual([true, false])

  const ended = await play(async () => {
    const { addresses } = await as('anna', 'registrations.get', { contest })
    expect(addresses).toEqual([expect.stringMatching(/^ws:/)])
    expect((await as('bruno', 'registrations.get', { contest })).addresses).toEqual([])
    // The educator, who is shown the credentials of others, is not shown these.
    await expect(as('teacher', 'contests.credentials', { contest })).rejects.toMatchObject({
      reason: 'credentials-unavailable',
    })
    await expect(as('anna', 'registrations.credentials', { contest })).rejects.toMatchObject({
      reason: 'contest-running',
    })
    expect(await whoKnows()).toEqual([])
    await dial(addresses[0]!, `${credential.slice(1)}x`).told('refused')
    bridge(addresses[0]!, credential, [agentFile, 'haggle'])
  })
  expect(ended.summary.progress).toMatchObject({ done: 3, total: 3 })
  expect(ended.standings.find(({ agent }) => agent === 'Red')).toMatchObject({ matches: 2, faults: 0 })
  expect(keptBytes()).not.toContain(credential)
})

/** Demands everything at first and accepts whatever it is offered; one application has many matches. */
function application(): Promise<Listening> {
  const counts = new Map<string, unknown>()
  return listenHttp((request, response) => {
    const session = String(request.headers['tartaglia-session'])
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { type, opt, offer } = JSON.parse(text) as { type: string; opt?: { counts: unknown }; offer?: unknown }
      if (type === 'start') counts.set(session, opt!.counts)
      const demand = offer === undefined ? { offer: counts.get(session) } : {}
      response.end(JSON.stringify(type === 'start' ? { type: 'ready' } : { type: 'offer', ...demand }))
    })
  })
}

test('a student hands in a web application and registers it; it plays once the educator permits its address', async () => {
  const listening = await application()
  try {
    const manifest = { name: 'any', game: 'haggle', kind: 'web', address: `${listening.origin}/rosso` }
    const handIn = async (): Promise<OutputOf<'handIn.attempts'>> => {
      const bytes = Readable.from([Buffer.from(JSON.stringify(manifest))])
      const taken = await desk.take('packages', { name: 'agent.json' }, bytes, visitors.anna)
      if (!taken.ok) throw new Error(taken.error.message)
      const { file } = taken.value
      await as('anna', 'handIn.submit', { file, agent: 'rosso', contest } as InputOf<'handIn.submit'>)
      for (;;) {
        const found = await as('anna', 'handIn.attempts', { team: null } as InputOf<'handIn.attempts'>)
        if (found.attempts[0]!.state !== 'waiting') return found
        await sleep(50)
      }
    }
    const entrants = async (): Promise<readonly string[]> =>
      (await as('bruno', 'contests.get', { contest })).draft.entrants.map(({ name }) => name)

    // It costs the team nothing, and says why.
    const early = await handIn()
    expect(early).toMatchObject({
      attempts: [{ state: 'void', reason: expect.stringContaining(manifest.address) as string }],
      used: 0,
    })
    await expect(as('anna', 'registrations.register', { contest, team: null, agent: 'rosso' })).rejects.toMatchObject({
      reason: 'address-not-allowed',
    })
    expect(await entrants()).toEqual(['baby', 'hard'])

    await as('teacher', 'settings.set', { webAddresses: [listening.origin] })
    expect((await handIn()).attempts[0]).toMatchObject({ state: 'passed' })
    await as('anna', 'registrations.register', { contest, team: null, agent: 'rosso' })
    expect(await entrants()).toEqual(['baby', 'hard', 'rosso'])
    const { standings } = await play()
    expect(standings.find(({ agent }) => agent === 'rosso')).toMatchObject({ matches: 2, faults: 0 })
  } finally {
    await listening.close()
  }
})
