import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Json } from '../contract/json.ts'
import { limits, type IsolationTier, type Limits } from '../contract/limits.ts'
import type { PlayerEvent } from '../contract/player.ts'
import { startAgentProcess } from './agent-process.ts'
import { availableTiers, type AgentFiles } from './isolation/detect.ts'
import { createLauncher } from './isolation/tiers.ts'
import { probeHost, type ProbeResults, type ProbeTargets } from './probe.ts'
import { createScriptPool } from './script-pool.ts'
import { descendants } from './watchdog.ts'

export interface SelfTestCheck {
  /** What was attempted. */
  readonly name: string
  /** Whether the attempt failed, as it must. */
  readonly holds: boolean
  /** In words: what happened. */
  readonly detail: string
}

export interface SelfTestReport {
  readonly tier: IsolationTier
  readonly checks: readonly SelfTestCheck[]
}

/** Tries a handful of attacks on this machine, in each tier that it has. Takes a few seconds. */
export async function selfTest(files: AgentFiles): Promise<readonly SelfTestReport[]> {
  const reports: SelfTestReport[] = []
  for (const { tier, available } of await availableTiers(files)) {
    if (!available) continue
    const checks = [...(await attackRealm(tier, files)), ...(await attackBox(tier, files))]
    reports.push({ tier, checks })
  }
  return reports
}

const reach = (way: string): string =>
  `module.exports = () => { let f; ${way}; try { return f('return typeof process')() } catch { return 'refused' } }`

/** A script's attempts. `caught`: an answer or a fault after which the attempt has failed. */
const scripts: readonly { name: string; source: string; caught: (event: PlayerEvent) => boolean }[] = [
  {
    name: "leave the realm through the message's constructor",
    source: reach('f = arguments[0].constructor.constructor')
      .replace('= () =>', '= function ()')
      .replace('{ let', '{ let'),
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
    name: 'compute for ever',
    source: 'module.exports = () => { for (;;); }',
    caught: (event) => event.type === 'fault' && event.fault.kind === 'timeout',
  },
  {
    name: 'take all memory',
    source: 'const hoard = []; module.exports = () => { for (;;) hoard.push(new Uint8Array(1e6).fill(1)) }',
    caught: (event) => event.type === 'fault' && event.fault.kind === 'memory',
  },
]

async function attackRealm(tier: IsolationTier, files: AgentFiles): Promise<readonly SelfTestCheck[]> {
  const checks: SelfTestCheck[] = []
  for (const { name, source, caught } of scripts) {
    const event = await answerOf(tier, files, source, {}, { memoryMb: 256 })
    checks.push({ name, holds: caught(event), detail: describe(event) })
  }
  return checks
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
  processes: 'outside the realm: see other processes',
}

async function attackBox(tier: IsolationTier, files: AgentFiles): Promise<readonly SelfTestCheck[]> {
  const results = await probeBox(tier, files)
  if (typeof results === 'string') return [{ name: 'outside the realm', holds: false, detail: results }]
  return (Object.keys(names) as (keyof ProbeResults)[]).map((key) => ({
    name: names[key],
    holds: results[key] === null,
    detail: results[key] === null ? 'The attempt failed.' : `It got ${results[key]}.`,
  }))
}

/** What hostile code gets in this tier once it has left its realm; in words when the probe itself could not be run. */
export async function probeBox(tier: IsolationTier, files: AgentFiles): Promise<ProbeResults | string> {
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-probe-'))
  const hostFile = join(folder, 'probe.cjs')
  const server = createServer((socket) => socket.destroy())
  // The agents may be another user.
  await chmod(folder, 0o755)
  await writeFile(hostFile, probeHost())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const launch = (await createLauncher(tier, files.nodeBinary, hostFile))(256)
  const sibling = 'missing' in launch ? null : startAgentProcess(launch)
  try {
    await sibling?.started
    const targets: ProbeTargets & Json = {
      port: (server.address() as AddressInfo).port,
      parent: process.pid,
      sibling: descendants(sibling?.pid ?? process.pid).at(-1) ?? process.pid,
      file: '/etc/passwd',
    }
    const event = await answerOf(tier, { ...files, hostFile }, '', targets, {}, 10_000)
    // Our own probe, in our own words.
    return event.type === 'answer' ? (event.value as Json & ProbeResults) : describe(event)
  } finally {
    sibling?.kill()
    server.close()
    await sibling?.buried
    await rm(folder, { recursive: true, force: true })
  }
}

/** One agent, one question: its answer or its fault. */
async function answerOf(
  tier: IsolationTier,
  files: AgentFiles,
  source: string,
  message: Json,
  bounds: Partial<Limits>,
  limitMs = 1_000,
): Promise<PlayerEvent> {
  const pool = createScriptPool({ ...files, tier, warmMax: 0, recycleAfter: 1 })
  const first = Promise.withResolvers<PlayerEvent>()
  const player = pool.seat({
    agent: '0'.repeat(64),
    source,
    adapter: '(exported) => exported',
    seed: 'self-test',
    clock: 'frozen',
    limits: limits.parse(bounds),
    emit: first.resolve,
  })
  await player.ready()
  player.ask(1, message, limitMs)
  const event = await first.promise
  player.close()
  await pool.close()
  return event
}
