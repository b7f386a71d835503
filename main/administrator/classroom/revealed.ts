import type { ClassFolder } from './classroom.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { HUMAN } from '../../contract/players/agents.ts'
import type { Reveal } from '../../contract/players/sources.ts'
import { versionsOf } from './active-versions.ts'

/**
 * When the source of each version becomes public; versions without an entry never do. It counts the finished contests with
 * the version among their entrants, each phase by itself. Practice, matches with a person and cancelled contests do not
 * count. Public sources stay public, unless a contest is deleted: a version keeps the rule under which it was handed in, and
 * contests do not become unfinished.
 */
export function revealsIn({ agents, contests }: Classroom): ReadonlyMap<StoredAgentVersion, Reveal> {
  const reveals = new Map<StoredAgentVersion, Reveal>()
  for (const version of agents) {
    const { revealAfter: after, entry } = version
    // The entries of other schools are theirs to reveal.
    if (after !== undefined && entry === undefined) reveals.set(version, { after, contests: 0 })
  }
  if (reveals.size === 0) return reveals
  const known = Map.groupBy(agents, ({ hash }) => hash)
  for (const { state, description } of contests) {
    const { practice, entrants, game } = description
    if (state !== 'ended' || practice === true || entrants.some(({ agent }) => agent === HUMAN)) continue
    const took = new Set<StoredAgentVersion>()
    for (const entrant of entrants) {
      const players = (known.get(entrant.agent) ?? []).filter(({ manifest }) => manifest.game === game)
      const [version] = versionsOf(players, entrant)
      if (version !== undefined) took.add(version)
    }
    for (const version of took) {
      const reveal = reveals.get(version)
      if (reveal !== undefined) reveals.set(version, { ...reveal, contests: reveal.contests + 1 })
    }
  }
  return reveals
}

/**
 * The reveal rule of a version that is handed in now, as a part of it. One that is handed in again has the earlier of both
 * rules, so that what is public stays public.
 */
export function ruleAtHandIn(
  { revealAfter: now }: Classroom['settings'],
  before?: StoredAgentVersion,
): Pick<StoredAgentVersion, 'revealAfter'> {
  const rules = [now, before?.revealAfter ?? 0].filter((after) => after > 0)
  return rules.length === 0 ? {} : { revealAfter: Math.min(...rules) }
}

/** `revealsIn` of a class, computed once for each of its contents: every change makes a new one. */
export function openReveals(home: Pick<ClassFolder, 'content'>): { of(): ReturnType<typeof revealsIn> } {
  let known: { readonly content: ClassFolder['content']; readonly reveals: ReturnType<typeof revealsIn> } | null = null
  return {
    of() {
      const { content } = home
      if (known?.content !== content) known = { content, reveals: revealsIn(content) }
      return known.reveals
    },
  }
}
