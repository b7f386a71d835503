import { readFileSync } from 'node:fs'
import { availableParallelism, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { openClassFolder } from '../../main/administrator/classroom/classroom.ts'
import { hashOfSecret, newSecret, SESSION_LIFE } from '../../main/administrator/people/sessions.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../main/administrator/people/people-database.ts'
import type { Person, Role } from '../../main/contract/people/people.ts'
import { contestDraft } from '../../main/contract/procedures/procedures.ts'
import { effortsOf } from '../../main/players/proc.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { tartaglia, type Running } from '../conformance/cli/process.ts'
import { connectClient, type ClassroomClient } from './classroom-client.ts'
import { withFolder } from './folder.ts'
import { median, quantile } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const STUDENTS = 200
const UPLOADING = 20
/** ms between two pages of a student, on average. 200 students at that pace look at 20 pages a second. */
const PACE = 10_000
/** ms for which pages are counted, and for which the contest is. */
const WATCHED = 30_000
/** The extra bytes of each file handed in: a small library that somebody has packed with it. */
const PADDING = 100_000
/** The teams that have met in a contest before: each team has one result. */
const GROUP = 10

/** A class with sessions that have begun. */
interface Class {
  readonly data: string
  /** Secrets of sessions. */
  readonly educator: string
  readonly students: readonly string[]
}

/** The measurements of one time. */
interface Watched {
  /** ms of each page. */
  readonly pages: readonly number[]
  readonly errors: readonly string[]
  readonly handedIn: number
  readonly matchesPerSecond: number
  /** Processor time meanwhile, in seconds per second: of the clients, and of the process that serves them. */
  readonly clientCores: number
  readonly serverCores: number
}

/**
 * A class of 200 on the network, whose teams have played: each has a screen open and looks at their home every ten seconds, by HTTPS and a
 * socket, while 20 hand in, wait for their trial match and hand in again, and a contest is played on all cores. Held against the same contest
 * with one student who looks at pages. Students and class share the machine, so the clients' own work is part of the times.
 */
export const classroomBench: Bench = {
  name: 'classroom',
  measure: () =>
    withFolder(async (folder) => {
      const host = addressOfMachine()
      if (host === null || process.platform !== 'linux') {
        console.error('Not measured: the classroom needs an address that is not loopback, and /proc.')
        return []
      }
      const made = await makeClass(join(folder, 'data'))
      const server = tartaglia('serve', '--data', made.data, '--host', host, '--port', '0', '--json')
      try {
        const origin = await originOf(server)
        return await measureClass(origin, made, server.child.pid!)
      } finally {
        server.child.kill('SIGINT')
        await server.ended
      }
    }),
}

/** The first IPv4 address that others can reach. */
export function addressOfMachine(): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null
}

/** The address of a class that has been opened. */
export function originOf({ child, ended }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (piece: string) => {
      text += piece
      if (!text.endsWith('}\n')) return
      resolve(
        (JSON.parse(text) as { readonly network: { readonly addresses: readonly string[] } }).network.addresses[0]!,
      )
    })
    void ended.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
}

async function measureClass(origin: string, { educator, students }: Class, pid: number): Promise<readonly Row[]> {
  const teacher = await connectClient(origin, educator)
  const clients: ClassroomClient[] = []
  for (const secret of students) clients.push(await connectClient(origin, secret))
  await playWeek(teacher, clients)
  const firstLosses = (await openHome(clients[0]!).then(lossesOf)) / 1_000
  const began = performance.now()
  await Promise.all(clients.map((client) => openHome(client).then(lossesOf)))
  const firstLook = (performance.now() - began) / 1_000
  const entrants = await handInEntrants(teacher)
  const contest = await startContest(teacher, entrants)
  const alone = await watch({ teacher, contest, pid }, clients.slice(0, 1), 0)
  const full = await watch({ teacher, contest, pid }, clients, UPLOADING)
  const memory = residentMegabytes(pid)
  for (const client of clients) client.close()
  await teacher.call('contests.pause', { contest })
  teacher.close()
  for (const error of new Set(full.errors)) console.error(`  ${error}`)
  const first = { name: 'one student alone, median', value: median(alone.pages), unit: 'ms' }
  const count = { name: 'pages looked at', value: full.pages.length, unit: 'pages' }
  return [
    rowOf({ name: `classroom, page of ${STUDENTS} students, median`, value: median(full.pages), unit: 'ms' }, first),
    rowOf(
      { name: `classroom, page of ${STUDENTS} students, 99 of 100`, value: quantile(full.pages, 0.99), unit: 'ms' },
      { name: 'one student alone, 99 of 100', value: quantile(alone.pages, 0.99), unit: 'ms' },
      { of: 'value', below: 300 },
    ),
    rowOf(
      { name: `classroom, first look of ${STUDENTS} at once, with all losses`, value: firstLook, unit: 's' },
      { name: 'the losses of the first one', value: firstLosses, unit: 's' },
    ),
    rowOf({ name: 'classroom, calls and pages that failed', value: full.errors.length, unit: 'failures' }, count, {
      ...{ of: 'value', below: 1 },
    }),
    rowOf({ name: 'classroom, hand-ins accepted meanwhile', value: full.handedIn, unit: 'hand-ins' }, count),
    rowOf(
      { name: 'classroom, the contest meanwhile', value: full.matchesPerSecond, unit: 'matches/s' },
      { name: 'with one student', value: alone.matchesPerSecond, unit: 'matches/s' },
      { of: 'ratio', atLeast: 0.9 },
    ),
    rowOf(
      {
        name: `classroom, cores that the clients take, of ${availableParallelism()}`,
        value: full.clientCores,
        unit: 'cores',
      },
      { name: 'the process that serves them', value: full.serverCores, unit: 'cores' },
    ),
    rowOf(
      { name: 'classroom, memory of the main process', value: memory, unit: 'MB' },
      { name: 'a screen', value: memory / STUDENTS, unit: 'MB' },
      { of: 'value', below: 400 },
    ),
  ]
}

/** Lets students look at pages, and the last of them hand in, for a while. */
async function watch(
  { teacher, contest, pid }: { readonly teacher: ClassroomClient; readonly contest: string; readonly pid: number },
  clients: readonly ClassroomClient[],
  uploading: number,
): Promise<Watched> {
  const pages: number[] = []
  const errors: string[] = []
  let handedIn = 0
  const until = performance.now() + WATCHED
  const isOver = (): boolean => performance.now() >= until
  const noted = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => errors.push(String(error)))
  const done = async (): Promise<number> => (await teacher.call('contests.get', { contest })).summary.progress.done
  const look = async (client: ClassroomClient, at: number): Promise<void> => {
    // Spread evenly, and not all at once.
    await pause((PACE * at) / clients.length)
    while (!isOver()) {
      const from = performance.now()
      const opened = openHome(client).then(() => void pages.push(performance.now() - from))
      await noted(opened.then(() => lossesOf(client)))
      await pause(Math.max(0, PACE - (performance.now() - from)))
    }
  }
  const submit = async (client: ClassroomClient, at: number): Promise<void> => {
    for (let n = 1; !isOver(); n++) await noted(handIn(client, at, n, isOver).then(() => (handedIn += 1)))
  }
  const uploaders = clients.slice(clients.length - uploading)
  const [before, began] = [await done(), performance.now()]
  const [clientsBefore, serverBefore] = [process.cpuUsage(), processorMs(pid)]
  await Promise.all([
    ...clients.map(look),
    ...uploaders.map((client, at) => submit(client, clients.length - uploading + at)),
  ])
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(clientsBefore)
  const clientCores = (user + system) / 1_000_000 / seconds
  const serverCores = (processorMs(pid) - serverBefore) / 1_000 / seconds
  return { pages, errors, handedIn, matchesPerSecond: ((await done()) - before) / seconds, clientCores, serverCores }
}

/** Everything that the browser of a student asks for before the home is shown, in the order of the page: parts of it wait for others. */
async function openHome(client: ClassroomClient): Promise<ClassroomClient> {
  await client.load(['/'])
  await Promise.all([client.call('me.get', {}), client.call('settings.get', {})])
  const [home] = await Promise.all([
    client.call('student.home', { since: null }),
    client.call('student.news', { since: null }),
    client.call('class.overview', {}),
    ...(['status', 'settings', 'agents', 'cases'] as const).map((topic) => client.subscribe(topic)),
  ])
  if (home.agents.every(({ placings }) => placings.length === 0)) throw new Error('The team has no results.')
  await client.call('practice.get', { team: null })
  return client
}

/** ms until the largest losses stand on a home, which replays their matches the first time and shows everything else meanwhile. */
async function lossesOf(client: ClassroomClient): Promise<number> {
  const from = performance.now()
  await client.call('student.losses', {})
  return performance.now() - from
}

/**
 * Hands in a file of its own as the next version of the team's agent, and waits for its trial match, as people do. Resolves when it is
 * over, or when nobody looks any more.
 */
async function handIn(client: ClassroomClient, team: number, n: number, isOver: () => boolean): Promise<void> {
  const content = `${shipped('baby')}\n// ${team} ${n}${' '.repeat(PADDING)}\n`
  const file = await client.upload('agent.js', content)
  const agent = `agent-${team}`
  const { attempt } = await client.call('handIn.submit', {
    ...{ file, game: 'specker', team: null, contest: null, agent, note: '' },
  })
  for (;;) {
    const { attempts } = await client.call('handIn.attempts', { team: null })
    if (attempts.find(({ id }) => id === attempt)?.state !== 'waiting' || isOver()) return
    await pause(1_000)
  }
}

/** Every team hands in an agent, and they meet in contests of some teams each, which are over afterwards. */
async function playWeek(teacher: ClassroomClient, clients: readonly ClassroomClient[]): Promise<void> {
  await Promise.all(clients.map((client, at) => handIn(client, at, 0, () => false)))
  const entrants: Entrant[] = []
  // One after the other: a connection has at most 100 calls in progress.
  for (const at of clients.keys()) {
    const { name, versions } = await teacher.call('agents.get', { name: `agent-${at}` })
    entrants.push({ name, agent: versions[0]!.agent })
  }
  for (let from = 0; from < entrants.length; from += GROUP) {
    const contest = await beginContest(teacher, `Week 1 from ${from}`, entrants.slice(from, from + GROUP), 1)
    while ((await teacher.call('contests.get', { contest })).summary.state !== 'ended') await pause(200)
  }
}

async function handInEntrants(teacher: ClassroomClient) {
  const entrants: Entrant[] = []
  for (const name of ['baby', 'greedy', 'sampler', 'gambler']) {
    const file = await teacher.upload(`${name}.js`, shipped(name))
    const { versions } = await teacher.call('agents.submit', { file, game: 'specker', wait: true })
    entrants.push({ name, agent: versions[0]!.agent })
  }
  return entrants
}

/** Starts a contest that is longer than anybody watches. */
async function startContest(teacher: ClassroomClient, entrants: readonly Entrant[]): Promise<string> {
  const contest = await beginContest(teacher, 'Long', entrants, 20_000)
  while ((await teacher.call('contests.get', { contest })).summary.progress.done < 20) await pause(200)
  return contest
}

interface Entrant {
  readonly name: string
  readonly agent: string
}

async function beginContest(
  teacher: ClassroomClient,
  title: string,
  entrants: readonly Entrant[],
  repeats: number,
): Promise<string> {
  const draft = contestDraft.parse({
    title,
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 },
    format: { type: 'round-robin', seats: 2, repeats },
    seed: 'bench',
    limits: { startMs: 120_000, moveMs: 120_000 },
    entrants,
  })
  const { contest } = await teacher.call('contests.create', { draft })
  await teacher.call('contests.start', { contest })
  return contest
}

const shipped = (name: string): string => readFileSync(join(resources.agents, 'specker', `${name}.js`), 'utf8')

/** Makes a class of one educator and many students, each in a team of their own, with sessions. */
export async function makeClass(data: string): Promise<Class> {
  const added = '2026-09-01T08:00:00.000Z'
  const idOf = (n: number): string => n.toString(16).padStart(16, '0')
  const people = Array.from({ length: STUDENTS + 1 }, (_, n): Person => {
    const role: Role = n === 0 ? 'educator' : 'student'
    return { id: idOf(n + 1), name: `Person ${n}`, ids: {}, role, added }
  })
  const home = await openClassFolder(data)
  await home.change((content) => {
    content.people.push(...people)
    content.teams.push(
      ...people.slice(1).map(({ id, name }) => ({ id, name: `Team of ${name}`, members: [id], formed: added })),
    )
  })
  await home.close()
  const database = openPeopleDatabase(data)
  const insert = database.database.prepare(
    "INSERT INTO session (hash, id, person, kind, made, seen, until, address, agent) VALUES (?, ?, ?, 'browser', ?, ?, ?, '', '')",
  )
  const now = Date.now()
  const secrets = people.map(({ id }) => {
    const secret = newSecret()
    insert.run(hashOfSecret(secret), id, id, now, now, now + SESSION_LIFE)
    return secret
  })
  closePeopleDatabase(database)
  return { data, educator: secrets[0]!, students: secrets.slice(1) }
}

/** Processor time of a process so far, in ms. */
const processorMs = (pid: number): number => [...effortsOf([pid]).values()].reduce((sum, { runMs }) => sum + runMs, 0)

/** Memory of a process that is in use, in MB. */
function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_000
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
