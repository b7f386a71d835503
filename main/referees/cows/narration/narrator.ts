import type { NarratedLine, Narrator } from '../../../contract/game/narration.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import type { HerderAction } from '../messages.ts'
import type { State } from '../state.ts'

/** A herder of a step: what it answered, and whether it moved. */
interface Herder {
  readonly body: number
  readonly action: HerderAction | null
  readonly stays: boolean
}

/** Each step: what the herders of both teams did, moves that failed, and cows that were caught. Herders are counted from 0. */
export const narrator: Narrator<State, Input> = {
  input(state, names) {
    const { step } = state
    const before = [...state.scores]
    return ({ actions }) => [
      ...actions.map((team, seat): NarratedLine => {
        const herders = team.map((action, body): Herder => {
          return { body, action, stays: state.stopped[seat * state.bodies + body] === 1 }
        })
        return plain(`Step ${step}: ${names[seat] ?? ''}: ${herdersInWords(herders)}.`)
      }),
      ...caught(state, before, names),
    ]
  },
  standing: ({ scores }, names) => [
    `Cows caught: ${scores.map((score, seat) => `${names[seat] ?? ''} ${score}`).join(', ')}.`,
  ],
}

const plain = (text: string): NarratedLine => ({ text, rule: null })

/** Herders that do the same are named together, in the order in which the first of each comes. */
function herdersInWords(herders: readonly Herder[]): string {
  const groups = new Map<string, number[]>()
  for (const { body, action, stays } of herders) {
    const did = action === null ? 'no answer' : action === 'skip' ? 'skips' : stays ? `${action} fails` : action
    groups.set(did, [...(groups.get(did) ?? []), body])
  }
  return [...groups].map(([did, bodies]) => `${bodies.join(' ')} ${did}`).join(', ')
}

function caught({ scores }: State, before: readonly number[], names: readonly string[]): readonly NarratedLine[] {
  return scores.flatMap((score, seat: SeatId) => {
    const more = score - before[seat]!
    const cows = more === 1 ? '1 cow is' : `${more} cows are`
    return more === 0 ? [] : [{ text: `${cows} caught in the corral of ${names[seat] ?? ''}.`, rule: 'rule 18' }]
  })
}
