import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { isolationTier, type IsolationTier } from '../../contract/limits.ts'
import {
  lackingToolchains,
  offeredToolchains,
  toolchainKinds,
  toolchainName,
  type FoundToolchain,
  type OfferedToolchain,
} from '../../contract/players/toolchains.ts'
import { toolchainsFile } from '../../players/isolation/declared-toolchains.ts'
import { findToolchains } from '../../players/isolation/toolchain-versions.ts'
import { readJsonFile } from '../files/read-file.ts'
import { chooseTier } from './isolation.ts'
import { resources } from './resources.ts'

/** The packages of Python that contests offer. */
const packagesOf = (offered: readonly OfferedToolchain[]): readonly string[] =>
  offered.flatMap(({ packages = [] }) => packages)

/**
 * The toolchains of this machine, as programs find them. `packages`: those of Python to look for; `weakest`: the weakest isolation in which they
 * may run. Throws ExpectedError 'host' if the
 * machine's declaration cannot be read, or programs cannot be started at all.
 */
export async function toolchainsHere(
  packages: readonly string[] = [],
  weakest: IsolationTier = 'none',
): Promise<readonly FoundToolchain[]> {
  return found(await chooseTier(weakest, true), { names: toolchainName.options, packages })
}

/**
 * Throws ExpectedError 'host' that names what is missing if this machine cannot offer to programs what a contest offers. `tier`: the one
 * in which they run.
 */
export async function requireToolchains(
  offered: readonly OfferedToolchain[] | undefined,
  tier: IsolationTier,
): Promise<void> {
  if (offered === undefined || offered.length === 0 || tier === 'permission') return
  const names = offered.map(({ name }) => name)
  const lacking = lackingToolchains(offered, await found(tier, { names, packages: packagesOf(offered) }))
  if (lacking.length === 0) return
  const advice = `Install it, or declare its folder in ${toolchainsFile()}`
  throw new ExpectedError(
    'host',
    'toolchain-missing',
    `The contest offers toolchains that this machine does not have: ${lacking.join(', ')}. ${advice}.`,
  )
}

/**
 * The strongest tier in which a contest can be played here, as `chooseTier` finds it; `programs`: some of its agents are programs, which
 * need the toolchains that it offers. Throws ExpectedError like it and `requireToolchains`.
 */
export async function tierForContest(
  { isolation, toolchains }: { readonly isolation: IsolationTier; readonly toolchains?: readonly OfferedToolchain[] },
  programs: boolean,
): Promise<IsolationTier> {
  const tier = await chooseTier(isolation, programs)
  if (programs) await requireToolchains(toolchains, tier)
  return tier
}

async function found(
  tier: IsolationTier,
  search: Parameters<typeof findToolchains>[2],
): Promise<readonly FoundToolchain[]> {
  return findToolchains(tier, resources.node, search).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new ExpectedError('host', 'toolchain-missing', `Toolchains cannot be looked for: ${why.replace(/\.$/, '')}.`)
  })
}

const offeringFile = z.looseObject({
  toolchains: offeredToolchains.default([]),
  isolation: isolationTier.default('bubblewrap'),
})

/** The toolchains that a contest file offers, and the isolation that it accepts. Throws ExpectedError 'usage' if it cannot be read. */
export const offeredInFile = (file: string): Promise<z.infer<typeof offeringFile>> => readJsonFile(file, offeringFile)

/** Toolchains in one line: "Python 3.11.2, Go 1.19.8". */
export const toolchainWords = (toolchains: readonly FoundToolchain[]): string =>
  toolchains.map(({ name, version }) => `${toolchainKinds[name].title} ${version ?? 'not found'}`).join(', ')
