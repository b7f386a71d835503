import type { AgentVersion } from '../procedures/agent-answers.ts'

/**
 * The state of a version of an agent, from its hand-in on. A file that is being read or built is not a version yet: its hand-in is
 * `received` (see `attemptState`).
 */
type VersionState =
  /** It waits for its trial match. */
  | 'received'
  /** Its trial match is being played. */
  | 'trying'
  /** It failed its trial match. */
  | 'failed'
  /** It passed, and becomes active at the closing time of its contest. */
  | 'candidate'
  | 'active'
  /** Another version, or another agent of its team, is active in its place. */
  | 'replaced'
  /** By its team. */
  | 'withdrawn'
  /** By the educator. */
  | 'paused'
  /** It was handed in too late, and does not count. */
  | 'kept'

/**
 * The one function that tells the state of a version; screens and commands show it. A person's decision, and lateness, come before the
 * trial: such a version does not play whatever its verdict.
 */
export function versionState({
  inactive,
  smoke,
  trial,
  active,
}: Pick<AgentVersion, 'inactive' | 'smoke' | 'trial' | 'active'>): VersionState {
  if (inactive !== undefined && inactive !== 'candidate') return inactive
  if (trial === 'playing') return 'trying'
  if (smoke?.ok === false) return 'failed'
  if (inactive === 'candidate') return smoke === null ? 'received' : 'candidate'
  return active.length > 0 ? 'active' : 'replaced'
}

/** The facts by which the versions of one agent take each other's place. */
type Rival = Pick<AgentVersion, 'inactive' | 'smoke' | 'trial' | 'active' | 'number' | 'submitted' | 'handIn'>

/**
 * The version of the same agent and contest that takes the place of a candidate, because it was handed in later and passed; null: the
 * candidate becomes active itself. One that is withdrawn or paused takes no place.
 */
export function supersededBy(candidate: Rival, versions: readonly Rival[]): Rival | null {
  const contestOf = ({ handIn }: Rival): string | null => handIn?.contest ?? null
  const [newest] = versions
    .filter((each) => each.submitted > candidate.submitted && contestOf(each) === contestOf(candidate))
    .filter((each) => ['candidate', 'active'].includes(versionState(each)))
    .toSorted((a, b) => (a.submitted < b.submitted ? 1 : -1))
  return newest ?? null
}
