import { checkOpenFiles } from '../../administrator/classroom/open-files.ts'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { ApartTier, IsolationTier } from '../../contract/limits.ts'
import type { TierFinding } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { availableTiers, strongestTier, tryTier, type TierReport } from '../../players/isolation/detect.ts'
import { scriptsOnly } from '../../players/isolation/program.ts'
import { findTools, isRoot } from '../../players/isolation/runtime.ts'
import { adviceFor, type MachineFacts } from './isolation-advice.ts'
import { resources } from './resources.ts'

const agentFiles = { nodeBinary: resources.node, hostFile: resources.agentHost }

/** The tiers of this machine, strongest first. Each is tested. */
export async function isolationTiers(): Promise<readonly TierFinding[]> {
  return Promise.all((await availableTiers(agentFiles)).map(withAdvice))
}

/**
 * The strongest available tier, if it is at least as strong as `weakest`, which the educator has accepted; for
 * `shared`, that tier or an error. `programs`: whether programs must be isolated, as agents or as build steps. Throws
 * ExpectedError 'host' that says what is missing and which command fixes it, and MachineError if too few files can be opened.
 */
export async function chooseTier(weakest: IsolationTier, programs = false): Promise<IsolationTier> {
  // Otherwise the tiers fail with messages of the programs that start agents.
  checkOpenFiles()
  return weakest === 'shared' ? sharedTier() : strongest(weakest, programs)
}

/**
 * The gaps of a tier, in one line, for people who run their own agents without choosing a tier; null: nothing
 * to report.
 */
export function isolationWarning(tier: IsolationTier): string | null {
  if (tier === 'permission')
    return "Agents are isolated by Node's permission model only: it blocks files, programs and network, but not signals to your other programs, and it may have bugs."
  if (tier === 'none')
    return 'Agents are not isolated: there are only limits on time and memory, and these agents have access to files, programs and network.'
  return null
}

async function sharedTier(): Promise<IsolationTier> {
  const found = await tryTier('shared', agentFiles)
  if (found.available) return 'shared'
  const text = 'Agents cannot share a folder on this machine, as this contest requires (shared)'
  throw await refusal(text, found)
}

async function strongest(weakest: ApartTier, programs: boolean): Promise<IsolationTier> {
  const tiers = await strongestTier(agentFiles, weakest)
  const [best] = tiers
  const last = tiers.at(-1)
  if (best === undefined || last === undefined) throw new Error('there is no tier')
  if (programs && last.tier === 'permission') {
    if (weakest === 'none') return 'none'
    throw await refusal(scriptsOnly, best)
  }
  if (last.available) return last.tier
  const consent = weakest === 'bubblewrap' ? ', and isolation "permission" has not been accepted' : ''
  throw await refusal(`The required isolation (${weakest}) is not available on this machine${consent}`, best)
}

async function refusal(text: string, report: TierReport): Promise<ExpectedError> {
  const { text: reason, command } = await withAdvice(report)
  const help = command === null ? reason : `${reason.replace(/\.$/, '')} (to fix this, run: ${command})`
  return new ExpectedError('host', 'isolation-unavailable', `${text}: ${help}`)
}

async function withAdvice({ tier, available, reason }: TierReport): Promise<TierFinding> {
  if (available) return { tier, available, text: reason, command: null }
  const advice = adviceFor(tier, reason, await readMachine())
  return { tier, available, text: advice.reason, command: advice.command }
}

async function readMachine(): Promise<MachineFacts> {
  const read = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)
  const [tools, osRelease, appArmor, userNamespaces, mostUserNamespaces] = await Promise.all([
    findTools(),
    read('/etc/os-release'),
    read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    read('/proc/sys/kernel/unprivileged_userns_clone'),
    read('/proc/sys/user/max_user_namespaces'),
  ])
  return {
    platform: process.platform,
    root: isRoot(),
    sudo: (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'sudo'))),
    tools,
    osRelease,
    appArmor,
    userNamespaces,
    mostUserNamespaces,
    // They put these there.
    container: existsSync('/run/.containerenv') ? 'podman' : existsSync('/.dockerenv') ? 'docker' : null,
    checkout: existsSync(resources.setupScript),
  }
}
