import type { ApartTier, IsolationTier } from '../contract/limits.ts'
import type { TierFinding } from '../contract/procedures.ts'
import { Trouble } from '../contract/trouble.ts'
import { availableTiers, strongestTier, tryTier } from '../players/isolation/detect.ts'
import { scriptsOnly } from '../players/isolation/program.ts'
import { resources } from './resources.ts'

const agentFiles = { nodeBinary: resources.node, hostFile: resources.agentHost }

/** What this machine has, strongest first; each tier is tried. */
export async function isolationTiers(): Promise<readonly TierFinding[]> {
  const tiers = await availableTiers(agentFiles)
  return tiers.map(({ tier, available, reason: text, command }) => ({ tier, available, text, command }))
}

/**
 * The strongest tier that this machine has, if it is no weaker than `weakest`, the educator's consent; `shared` is that or
 * nothing. Throws Trouble 'host' that says what is missing and the one command that helps. `programs`: there are some among
 * the agents.
 */
export async function chooseTier(weakest: IsolationTier, programs = false): Promise<IsolationTier> {
  return weakest === 'shared' ? sharedTier() : strongest(weakest, programs)
}

async function sharedTier(): Promise<IsolationTier> {
  const { available, reason, command } = await tryTier('shared', agentFiles)
  if (available) return 'shared'
  const help = command === null ? '' : ` ${command} (as root) may help.`
  throw new Trouble(
    'host',
    `Agents cannot have a folder in common here, as this contest wants (shared): ${reason}${help}`,
  )
}

async function strongest(weakest: ApartTier, programs: boolean): Promise<IsolationTier> {
  const tiers = await strongestTier(agentFiles, weakest)
  if (programs && tiers.at(-1)?.tier === 'permission') {
    if (weakest === 'none') return 'none'
    throw new Trouble('host', `There are programs among the agents: ${scriptsOnly}.`)
  }
  const last = tiers.at(-1)
  if (last?.available === true) return last.tier
  const [best] = tiers
  const help = best?.command === null || best?.command === undefined ? '' : ` ${best.command} (as root) may help.`
  const consent = weakest === 'bubblewrap' ? ' To consent to less, set "isolation": "permission" in the contest.' : ''
  throw new Trouble(
    'host',
    `Agents cannot be held as strongly as this contest wants (${weakest}): ${best?.reason ?? 'no way was found'}${help}${consent}`,
  )
}
