import { activePolicies, playingVersion } from '../../../administrator/classroom/active-versions.ts'
import type { Classroom, StoredAgentVersion } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { policyBits, policyOf } from '../../../contract/contests/policy.ts'
import { whyForeign } from '../../agents/foreign-scripts.ts'
import { shippedUnfit } from '../../agents/opponents.ts'
import { LEFT_OUT_MAX, SENTENCE_MAX, type RecurringContest } from '../../../contract/contests/recurring.ts'

/** The entrants of a recurring contest now, and a sentence for each agent that is left out, which says why. */
export interface OccurrenceEntrants {
  readonly entrants: ContestDescription['entrants']
  readonly leftOut: readonly string[]
}

/**
 * The entrants of a recurring contest as the class has them: each agent in the version that plays for its team now, under
 * its present name. An agent that was removed, or whose trial match failed, does not play.
 */
export function entrantsNow(
  { agents }: Pick<Classroom, 'agents'>,
  { description, entrants: who }: Pick<RecurringContest, 'description' | 'entrants'>,
): OccurrenceEntrants {
  const versions = new Set<StoredAgentVersion>()
  const leftOut: string[] = []
  if (who === 'all') for (const version of activeVersions(agents, description)) versions.add(version)
  else {
    for (const entrant of description.entrants) {
      const version = playingVersion(agents, description, entrant)
      // Two agents may have become one team.
      if (version !== undefined) versions.add(version)
      else leftOut.push(`${entrant.name} does not play: the class has no such agent any more.`)
    }
  }
  const fit = [...versions].filter(({ manifest, smoke }) => {
    if (smoke?.ok !== false) return true
    leftOut.push(`${manifest.name} does not play, because its trial match failed: ${smoke.text}`)
    return false
  })
  const entrants = fit.map(({ hash, manifest }) => ({ name: manifest.name, agent: hash }))
  return { entrants, leftOut: shortened(leftOut) }
}

/**
 * Leaves out scripts of other games too, which nobody may have tried yet, and, of all agents of the game, those that ship and
 * cannot play with these settings. Throws ExpectedError 'host' like `readAgent`.
 */
export async function withoutForeign(
  data: string,
  { description: { game, config }, entrants: who }: Pick<RecurringContest, 'description' | 'entrants'>,
  { entrants, leftOut }: OccurrenceEntrants,
): Promise<OccurrenceEntrants> {
  const unfit = who === 'all' ? await shippedUnfit(game, config) : []
  const playing: ContestDescription['entrants'][number][] = []
  const foreign: string[] = []
  // One after the other: each package is read as a whole.
  for (const entrant of entrants) {
    const declared = unfit.find((each) => each.agent === entrant.agent)
    const why = declared === undefined ? await whyForeign(data, entrant.agent, game) : declared.cannot
    if (why === null) playing.push(entrant)
    else foreign.push(`${entrant.name} ${why}.`)
  }
  return { entrants: playing, leftOut: shortened([...leftOut, ...foreign]) }
}

const shortened = (leftOut: readonly string[]): readonly string[] =>
  leftOut.slice(0, LEFT_OUT_MAX).map((sentence) => sentence.slice(0, SENTENCE_MAX))

/** The versions that play for their teams, in the order in which the agents were first handed in. */
function activeVersions(
  agents: readonly StoredAgentVersion[],
  { game, policy }: Pick<ContestDescription, 'game' | 'policy'>,
): readonly StoredAgentVersion[] {
  const bits = policyBits(policyOf({ policy }))
  const active = activePolicies(agents)
  const names = [...new Set(agents.map(({ manifest }) => manifest.name))]
  return agents
    .filter((version) => version.manifest.game === game && active.get(version)?.includes(bits) === true)
    .sort((one, other) => names.indexOf(one.manifest.name) - names.indexOf(other.manifest.name))
}

/** The most characters of a title, with room for a date and a number. */
const TITLE_CHARACTERS = 180

/** The title of a contest of a recurring one: with the date, and a number from the second of a day on. */
export function occurrenceTitle(title: string, day: string, taken: readonly string[]): string {
  const dated = `${Array.from(title).slice(0, TITLE_CHARACTERS).join('')}, ${day}`
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? dated : `${dated} (${number})`
    if (!taken.includes(numbered)) return numbered
  }
}
