import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { runContest, type ContestRun } from '../../../main/services/contests/engine/contest-run.ts'
import { scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { canonicalText, sha256 } from '../../../main/histories/canonical.ts'
import { endingInHistory } from '../../../main/histories/match-ending.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { descendantsOf, processesWith, type Process } from './processes.ts'
import { agent, honest, villains } from './villains.ts'

/** The resources of the host and its workers at a moment. */
export interface Held {
  /** Matches that had ended. */
  readonly matches: number
  readonly hostDescriptors: number
  readonly hostBytes: number
  /** The sum of all workers. */
  readonly workerDescriptors: number
  readonly workerBytes: number
}

export interface Soaked {
  readonly matches: number
  readonly voided: number
  /** The share of hostile agents. */
  readonly hostile: number
  readonly seconds: number
  /** In order of time. */
  readonly held: readonly Held[]
  /** Processes that outlived the contest, by their command lines. */
  readonly orphans: readonly string[]
  /** Matches of honest agents alone, and those of them that end otherwise than where nobody means harm. */
  readonly compared: number
  readonly wrong: readonly string[]
  readonly notices: readonly string[]
}

export interface SoakOptions {
  /** Empty; everybody may look into it. */
  readonly folder: string
  /** Agents of each sort. */
  readonly honestScripts: number
  readonly honestPrograms: number
  readonly villainScripts: number
  readonly villainPrograms: number
  readonly repeats: number
}

type Code = ReturnType<Parameters<typeof runContest>[0]['agents']['get']> & {}

/** Python that plays by the rules: it accepts from half of the pieces on, and asks for all of them until then. */
const fair = `
import sys, json
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'start':
        counts = m['opt']['counts']
        say = {'type': 'ready', 'question': m['question']}
    else:
        say = {'type': 'offer', 'question': m['question']}
        offer = m.get('offer')
        if offer is None or sum(offer) * 2 < sum(counts): say['offer'] = counts
    print(json.dumps(say), flush=True)
`
const villainPrograms: readonly string[] = [
  'import os\nwhile True: os.fork()',
  `import os, sys, time
sys.stdin.readline()
print('{"type":"ready","question":1}', flush=True)
for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(3600)
        os._exit(0)
time.sleep(3600)`,
  `import sys\nwhile True: sys.stdout.write('x' * 100_000)`,
  `import sys, os, time\nsys.stdin.readline()\nprint('{"type":"ready","question":1}', flush=True)\nos.close(1)\ntime.sleep(3600)`,
]

/**
 * A contest of Haggling in bubblewrap, of scripts and Python programs, some of which mean harm; then the same with harmless
 * ones in their places, so that its schedule and seeds are the same. Nothing is asserted here.
 */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { folder } = options
  const tag = `soak-${randomUUID()}.py`
  const entrants = entrantsOf(options, tag)
  const held: Held[] = []
  const began = performance.now()
  const sampler = setInterval(() => held.push(heldNow(matches())), 500)
  let finished: () => number = () => 0
  const matches = (): number => finished()
  const among = await play(
    join(folder, 'among'),
    options,
    entrants.map(({ code }) => code),
    (count) => (finished = count),
  )
  clearInterval(sampler)
  const seconds = (performance.now() - began) / 1_000
  const orphans = await outliving(() => [
    ...processesWith(tag),
    ...descendantsOf(process.pid).filter(({ command }) => isOurs(command)),
  ])
  const harmless = await play(
    join(folder, 'without'),
    options,
    entrants.map(({ instead }) => instead),
    () => undefined,
  )
  const own = among.schedule.filter(({ entrants: seated }) => seated.every((at) => !entrants[at]!.hostile))
  const endOf = async ({ folder: dir, run }: Played, match: number): Promise<string> => {
    const row = run.record.finished.get(match)
    if (row === undefined) return 'none'
    const { outcome, state } = await endingInHistory(dir, row)
    return canonicalText({ outcome, state })
  }
  const wrong: string[] = []
  for (const { match } of own) {
    const [is, shall] = [await endOf(among, match), await endOf(harmless, match)]
    if (is !== shall || is === 'none') wrong.push(`match ${match}: ${is} for ${shall}`)
  }
  return {
    matches: among.run.record.finished.size,
    voided: among.run.record.voided.length,
    hostile: entrants.filter(({ hostile }) => hostile).length / entrants.length,
    seconds,
    held,
    orphans: orphans.map(({ command }) => command),
    compared: own.length,
    wrong,
    notices: among.notices,
  }
}

/** Leftovers after the system has had time to remove killed processes: a box of a hundred processes takes some. */
async function outliving(live: () => readonly Process[]): Promise<readonly Process[]> {
  const end = performance.now() + 20_000
  let left = live()
  while (left.length > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    left = live()
  }
  return left
}

/** Agent processes and boxes; not what runs the test itself. */
const isOurs = (command: string): boolean => /bwrap|host\.cjs|worker\.js/.test(command)

interface Entrant {
  readonly hostile: boolean
  readonly code: Code
  /** The agents of a harmless contest. */
  readonly instead: Code
}

function entrantsOf(options: SoakOptions, tag: string): readonly Entrant[] {
  const program = (name: string, text: string): Code => {
    const at = join(options.folder, name)
    mkdirSync(at)
    chmodSync(at, 0o755)
    writeFileSync(join(at, tag), text)
    return { folder: at, command: ['python3', tag], process: 'match' }
  }
  const fairs = Object.values(honest)
  const harms = Object.values(villains)
  const calm = (n: number): Code => agent(`return offered === undefined ? this.counts : undefined // calm ${n}`)
  const many = (count: number, make: (n: number) => Entrant): Entrant[] =>
    Array.from({ length: count }, (_, n) => make(n))
  const sure = (code: Code): Entrant => ({ hostile: false, code, instead: code })
  return [
    ...many(options.honestScripts, (n) => sure(`${fairs[n % fairs.length]!}\n// ${n}`)),
    ...many(options.honestPrograms, (n) => sure(program(`fair-${n}`, `${fair}# ${n}\n`))),
    ...many(options.villainScripts, (n) => {
      return { hostile: true, code: `${harms[n % harms.length]![0]}\n// ${n}`, instead: calm(n) }
    }),
    ...many(options.villainPrograms, (n) => {
      const text = villainPrograms[n % villainPrograms.length]!
      return { hostile: true, code: program(`harm-${n}`, `${text}\n# ${n}\n`), instead: calm(1_000 + n) }
    }),
  ]
}

interface Played {
  readonly folder: string
  readonly run: ContestRun
  readonly schedule: readonly { readonly match: number; readonly entrants: readonly number[] }[]
  readonly notices: readonly string[]
}

async function play(
  folder: string,
  { repeats }: SoakOptions,
  codes: readonly Code[],
  counting: (count: () => number) => void,
): Promise<Played> {
  const config = games.get('haggle')!.config({})
  if (!config.ok) throw new Error(config.error)
  const hashes = codes.map((code) => sha256(canonicalText(code as never)))
  const description = contestDescription.parse({
    title: 'Soak',
    game: 'haggle',
    format: { type: 'round-robin', seats: 2, repeats },
    seed: 'soak',
    isolation: 'bubblewrap',
    limits: { startMs: 5_000, moveMs: 3_000, memoryMb: 96, messageBytes: 1_000_000 },
    entrants: hashes.map((hash, at) => ({ name: `agent ${at}`, agent: hash })),
  })
  const schedule = scheduleOf(description)
  if (typeof schedule === 'string') throw new Error(schedule)
  const notices: string[] = []
  const run = await runContest({
    folder,
    contest: 'soak-1',
    description,
    nonce: 'a'.repeat(64),
    seeds: 'hmac',
    config: config.value,
    isolation: 'bubblewrap',
    key: signingKey(generateKey())!,
    workers: 2,
    lanes: 2,
    repeatable: false,
    agents: new Map(codes.map((code, at) => [hashes[at]!, code])),
    launch: () => launchWorker(process.execPath, resources.worker),
    signal: new AbortController().signal,
    onNotice: (text) => void notices.push(text),
    onProgress: (record) => counting(() => record.finished.size),
  })
  return { folder, run, schedule: [...schedule], notices }
}

function heldNow(matches: number): Held {
  const workers = descendantsOf(process.pid).filter(({ parent, command }) => {
    return parent === process.pid && command.includes(resources.worker)
  })
  const sum = (of: (pid: number) => number): number => workers.reduce((total, { pid }) => total + of(pid), 0)
  return {
    matches,
    hostDescriptors: descriptors(process.pid),
    hostBytes: process.memoryUsage().rss,
    workerDescriptors: sum(descriptors),
    workerBytes: sum(residentBytes),
  }
}

/** 0 where the process has gone between two looks. */
function descriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}
