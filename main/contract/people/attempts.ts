// Attempts of a day and the queue of hand-ins: pure functions of what the database recorded. Nothing is counted up and kept, so that
// no counter can be wrong after a restart.

/** A hand-in, as far as it counts against the attempts of a day. */
export interface Attempt {
  /** ms since the epoch. */
  readonly at: number
  /**
   * `waiting`: not judged yet; it counts until it is known that it will not be judged. `refused`: not an agent, so there was nothing to
   * judge. `void`: this machine did not judge it.
   */
  readonly state: 'waiting' | 'passed' | 'failed' | 'refused' | 'void'
  /** The educator gave it back. */
  readonly isGivenBack: boolean
}

/** The attempts of a team at a time. */
export interface AttemptsLeft {
  readonly used: number
  /** null: there is no limit. */
  readonly left: number | null
}

const HOUR = 60 * 60 * 1_000

/**
 * The attempts that a team has left on a day. Refused and void ones do not count. A failed trial gives its attempt back, but at most
 * one an hour does, so that nobody searches by failing. `attempts`: of the day.
 */
export function attemptsLeft(attempts: readonly Attempt[], perDay: number | null): AttemptsLeft {
  let used = 0
  let lastBack = -Infinity
  for (const { at, state, isGivenBack } of attempts.toSorted((a, b) => a.at - b.at)) {
    if (isGivenBack || state === 'refused' || state === 'void') continue
    if (state === 'failed' && at - lastBack >= HOUR) lastBack = at
    else used += 1
  }
  return { used, left: perDay === null ? null : Math.max(0, perDay - used) }
}

/** A hand-in that waits for its trial. */
export interface Waiting {
  /** Rises with the time of the hand-in. */
  readonly id: number
  /** Equal for the hand-ins of one team. */
  readonly team: string
}

/**
 * The hand-in whose turn it is; null: none waits. Teams take turns: the team that has waited longest since its last turn comes first,
 * teams without a turn before all others, and within a team the oldest hand-in. `turns`: the teams that had a turn, in their order;
 * a team occurs once, at its last turn.
 */
export function nextInQueue<W extends Waiting>(waiting: readonly W[], turns: readonly string[]): W | null {
  const turnOf = new Map(turns.map((team, turn) => [team, turn]))
  let best: W | null = null
  let bestTurn = Infinity
  for (const each of waiting) {
    const turn = turnOf.get(each.team) ?? -1
    if (turn < bestTurn || (turn === bestTurn && best !== null && each.id < best.id)) [best, bestTurn] = [each, turn]
  }
  return best
}

/** All waiting hand-ins in the order of their turns: each team's first one, then each team's second one, and so on. */
export function queueOrder<W extends Waiting>(waiting: readonly W[], turns: readonly string[]): readonly W[] {
  const turnOf = new Map(turns.map((team, turn) => [team, turn]))
  const byTeam = [
    ...Map.groupBy(
      waiting.toSorted((a, b) => a.id - b.id),
      ({ team }) => team,
    ),
  ]
  // In the order of their first ones: that of the teams without a turn.
  const teams = byTeam.toSorted(([a], [b]) => (turnOf.get(a) ?? -1) - (turnOf.get(b) ?? -1)).map(([, ofTeam]) => ofTeam)
  const rounds = Math.max(0, ...teams.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) => teams.flatMap((ofTeam) => ofTeam[round] ?? [])).flat()
}

/** The turns after one of a team. */
export function afterTurn(turns: readonly string[], team: string): readonly string[] {
  return [...turns.filter((each) => each !== team), team]
}
