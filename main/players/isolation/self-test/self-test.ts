import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import type { Json } from '../../../contract/json.ts'
import { limits, type IsolationTier, type Limits } from '../../../contract/limits.ts'
import type { PlayerEvent } from '../../../contract/players/player.ts'
import { startAgentProcess } from '../../scripts/agent-process.ts'
import { commonFor } from '../common-folder.ts'
import { availableTiers, type AgentFiles } from '../detect.ts'
import type { CommonFolder } from '../launch.ts'
import { createLauncher } from '../tiers.ts'
import { probeHost, type ProbeResults, type ProbeTargets } from './probe.ts'
import { createScriptPool } from '../../scripts/script-pool.ts'
import { type SelfTestCheck, attackByPrograms } from './program-attacks.ts'
import { attackCalls } from './system-call-attacks.ts'
import { descendants } from '../../proc.ts'

export interface SelfTestReport {
  readonly tier: IsolationTier
  readonly checks: readonly SelfTestCheck[]
}

export interface SelfTestOptions {
  /** Cancels the test: it rejects with the signal's reason once nothing of it runs any more. */
  readonly signal?: AbortSignal
  /** Reports the progress, from 0 to 1. */
  onPart?(part: number): void
}

/** Runs a few attacks on this machine in each available tier. Takes a few seconds. */
export async function selfTest(
  files: AgentFiles,
  { signal, onPart }: SelfTestOptions = {},
): Promise<readonly SelfTestReport[]> {
  const tiers = (await availableTiers(files)).filter(({ available }) => available)
  const reports: SelfTestReport[] = []
  const total = tiers.reduce((sum, { tier }) => sum + scriptsIn(tier).length + 3, 0)
  let done = 0
  const after = <T>(outcome: T): T => {
    onPart?.(++done / total)
    signal?.throwIfAborted()
    return outcome
  }
  for (const { tier } of tiers) {
    const checks: SelfTestCheck[] = []
    for (const script of scriptsIn(tier)) checks.push(after(await attackRealm(tier, files, script, signal)))
    checks.push(...after(await attackBox(tier, files, signal)))
    checks.push(...after(await attackKernel(tier, files)))
    checks.push(...after(await attackByPrograms(tier, files.nodeBinary)))
    reports.push({ tier, checks })
  }
  return reports
}

const reach = (way: string): string =>
  `module.exports = () => { let f; ${way}; try { return f('return typeof process')() } catch { return 'refused' } }`

/** An attack by a script. `caught`: whether an answer or a fault shows that it failed. */
interface Attempt {
  readonly name: string
  readonly source: string
  /** Milliseconds for the answer; 30,000 if absent, since on a busy machine an attack takes long to reach what stops it. */
  readonly limitMs?: number
  caught(event: PlayerEvent): boolean
}

const scripts: readonly Attempt[] = [
  {
    name: "leave the realm through the message's constructor",
    source: reach('f = arguments[0].constructor.constructor').replace('= () =>', '= function ()'),
    caught: (event) => event.type === 'answer' && event.value === 'undefined',
  },
  {
    name: 'leave the realm through a stack overflow in the host',
    source: reach(
      'const dig = () => { try { new Error().stack } catch (e) { if (!(e instanceof Error)) f = e.constructor.constructor } dig() }; try { dig() } catch {} f ??= Function',
    ),
    caught: (event) => event.type === 'answer' && (event.value === 'undefined' || event.value === 'refused'),
  },
  {
    name: 'compute forever',
    source: 'module.exports = () => { for (;;); }',
    limitMs: 1_000,
    caught: (event) => event.type === 'fault' && event.fault.kind === 'timeout',
  },
  {
    name: 'take all memory',
    source: 'const hoard = []; module.exports = () => { for (;;) hoard.push(new Uint8Array(1e6).fill(1)) }',
    caught: (event) => event.type === 'fault' && event.fault.kind === 'memory',
  },
  {
    name: 'take all memory by page tables',
    source: `const hold = []; let sum = 0
      module.exports = () => { for (;;) {
        const untouched = new Uint8Array(2 ** 32); hold.push(untouched)
        for (let at = 0; at < untouched.length; at += 2 ** 21) sum += untouched[at] } }`,
    caught: (event) => event.type === 'fault' && event.fault.kind === 'memory',
  },
]

/** Attacks by a script on the folder that agents share. */
const folderScripts: readonly Attempt[] = [
  {
    name: 'leave the shared folder by a name',
    source:
      "module.exports = () => ['..', '../agent/host.cjs', '/etc/passwd', 'a/../../etc/passwd', '.'].flatMap((name) => { try { return shared.read(name) ?? [] } catch { return [] } }).join('')",
    caught: (event) => event.type === 'answer' && event.value === '',
  },
  {
    name: 'take all memory by the shared folder',
    source: filling("'x'.repeat(1e6)", 100),
    caught: (event) => event.type === 'answer' && typeof event.value === 'number' && event.value < 20,
  },
  {
    name: 'make a million shared files',
    source: filling("''", 1_000_000),
    caught: (event) => event.type === 'answer' && typeof event.value === 'number' && event.value < 1_100,
  },
]

/** Writes until the folder is full; the answer is the number of files. */
function filling(text: string, most: number): string {
  return `module.exports = () => { let n = 0; try { for (; n < ${most}; n++) shared.write('f' + n, ${text}) } catch {} return n }`
}

const scriptsIn = (tier: IsolationTier): readonly Attempt[] =>
  tier === 'shared' ? [...scripts, ...folderScripts] : scripts

async function attackRealm(
  tier: IsolationTier,
  files: AgentFiles,
  { name, source, caught, limitMs = 30_000 }: Attempt,
  signal: AbortSignal | undefined,
): Promise<SelfTestCheck> {
  const event = await answerOf(tier, files, { source, message: {}, bounds: { memoryMb: 256 }, limitMs }, signal)
  return { name, holds: caught(event), detail: describe(event) }
}

const describe = (event: PlayerEvent): string =>
  event.type === 'fault'
    ? event.fault.text
    : event.type === 'answer'
      ? `The answer was ${JSON.stringify(event.value)}.`
      : event.type

const names: Readonly<Record<keyof ProbeResults, string>> = {
  readFile: 'outside the realm: read a file of this machine',
  writeFile: 'outside the realm: write a file',
  startProgram: 'outside the realm: start a program',
  startThread: 'outside the realm: start a thread',
  connect: 'outside the realm: connect to this machine',
  signalParent: 'outside the realm: signal the process that runs the match',
  signalSibling: 'outside the realm: signal another agent',
  environment: 'outside the realm: read the environment',
  sharedMemory: 'outside the realm: read shared memory of other programs',
  processes: 'outside the realm: see other processes',
}

async function attackBox(
  tier: IsolationTier,
  files: AgentFiles,
  signal: AbortSignal | undefined,
): Promise<readonly SelfTestCheck[]> {
  const results = await probeBox(tier, files, signal)
  if (typeof results === 'string') return [{ name: 'outside the realm', holds: false, detail: results }]
  return (Object.keys(names) as (keyof ProbeResults)[]).map((key) => ({
    name: names[key],
    holds: results[key] === null,
    detail: results[key] === null ? 'The attempt failed.' : `It got ${results[key]}.`,
  }))
}

/**
 * The system calls available to an agent's own program. Under the permission model an agent cannot start one, which
 * `startProgram` tests.
 */
async function attackKernel(tier: IsolationTier, files: AgentFiles): Promise<readonly SelfTestCheck[]> {
  const findings = tier === 'permission' ? null : await attackCalls(tier, files)
  return (findings ?? []).map(({ name, refused, results }) => ({
    name: `system calls: ${name}`,
    holds: refused,
    detail: refused ? 'The kernel refused.' : `The kernel answered ${results.map(String).join(', ')}.`,
  }))
}

/** The gains of hostile code in this tier after it has left its realm, or a sentence if the probe could not run. */
export async function probeBox(
  tier: IsolationTier,
  files: AgentFiles,
  signal?: AbortSignal,
): Promise<ProbeResults | string> {
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-probe-'))
  const hostFile = join(folder, 'probe.cjs')
  const shared = `${await sharedFolder()}/${basename(folder)}`
  const server = createServer((socket) => socket.destroy())
  // The agents may run as another user.
  await chmod(folder, 0o755)
  await writeFile(hostFile, probeHost())
  await writeFile(shared, 'shared memory')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const common = await commonFor(tier)
  const launch = (await createLauncher(tier, files.nodeBinary, hostFile))(256, common)
  const sibling = 'missing' in launch ? null : startAgentProcess(launch)
  try {
    await sibling?.started
    const targets: ProbeTargets & Json = {
      port: (server.address() as AddressInfo).port,
      parent: process.pid,
      sibling: descendants(sibling?.pid ?? process.pid).at(-1) ?? process.pid,
      file: '/etc/passwd',
      shared,
    }
    const question = { source: '', message: targets, bounds: {}, limitMs: 10_000, common }
    const event = await answerOf(tier, { ...files, hostFile }, question, signal)
    // Trusted: the answer comes from our own probe.
    return event.type === 'answer' ? (event.value as Json & ProbeResults) : describe(event)
  } finally {
    sibling?.kill()
    server.close()
    await sibling?.exited
    common?.close()
    await rm(shared, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folder for named shared memory; on other systems the temporary folder serves. */
const sharedFolder = (): Promise<string> =>
  stat('/dev/shm').then(
    () => '/dev/shm',
    () => tmpdir(),
  )

interface Question {
  readonly source: string
  readonly message: Json
  readonly bounds: Partial<Limits>
  readonly limitMs: number
  /** The shared folder; absent: none. */
  readonly common?: CommonFolder | undefined
}

/**
 * Asks one agent one question; returns its answer or its fault. Rejects when the signal aborts, once the agent has
 * exited.
 */
async function answerOf(
  tier: IsolationTier,
  files: AgentFiles,
  { source, message, bounds, limitMs, common: given }: Question,
  signal: AbortSignal | undefined,
): Promise<PlayerEvent> {
  signal?.throwIfAborted()
  const common = given ?? (await commonFor(tier))
  const pool = createScriptPool({ ...files, tier, warmMax: 0, recycleAfter: 1 })
  const first = Promise.withResolvers<PlayerEvent>()
  // It may reject before it is awaited.
  first.promise.catch(() => undefined)
  const stop = (): void => first.reject(signal?.reason)
  signal?.addEventListener('abort', stop)
  const player = pool.seat({
    agent: '0'.repeat(64),
    source,
    adapter: '(exported) => exported',
    seed: 'self-test',
    clock: 'frozen',
    limits: limits.parse(bounds),
    common,
    emit: first.resolve,
  })
  try {
    await player.ready()
    player.ask(1, message, limitMs)
    return await first.promise
  } finally {
    signal?.removeEventListener('abort', stop)
    player.close()
    await pool.close()
    if (given === undefined) common?.close()
  }
}
