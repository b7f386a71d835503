import type { CountedRuling, Remedy } from './rulings.ts'

/** The ruling after which results are: "after ruling 3". */
export const afterRuling = (number: number): string => `after ruling ${number}`

/** A remedy in a few words, without a full stop. */
function remedyWords(remedy: Remedy): string {
  switch (remedy.type) {
    case 'none':
      return 'no penalty'
    case 'warning':
      return `a warning to ${remedy.entrant}`
    case 'points': {
      const { entrant, points } = remedy
      const size = Math.abs(points)
      return `${size} ${size === 1 ? 'point' : 'points'} ${points < 0 ? 'taken from' : 'given to'} ${entrant}`
    }
    case 'energy': {
      const { entrant, match, energy } = remedy
      return `${Math.abs(energy)} energy ${energy < 0 ? 'taken from' : 'given to'} ${entrant} in match ${match}`
    }
    case 'annul':
      return `match ${remedy.match} annulled${remedy.playAgain ? ' and to be played again' : ''}`
    case 'forfeit':
      return `${remedy.entrant} forfeits ${matchesWords(remedy.matches)}`
    case 'removal':
      return `${remedy.entrant} removed: it forfeits all matches and is listed last`
    case 'award':
      return `an award of ${remedy.amount} to ${remedy.entrant}, outside of all matches`
  }
}

/** The remedies of one ruling or of a possible one, without a full stop. */
export function penaltyWords(remedies: readonly Remedy[]): string {
  return remedies.length === 0 ? 'no penalty' : remedies.map(remedyWords).join('; ')
}

/** The matches that are named before the others are counted. */
const NAMED_MAX = 10

function matchesWords(matches: (Remedy & { type: 'forfeit' })['matches']): string {
  if (matches === 'all') return 'all matches'
  const others = matches.length - NAMED_MAX
  const named = matches.slice(0, NAMED_MAX).join(', ')
  return `${matches.length === 1 ? 'match' : 'matches'} ${named}${others > 0 ? ` and ${others} more` : ''}`
}

/** A ruling in a line: its remedies, and what has become of it. */
export function rulingWords({ remedies, reverses, reversedBy }: CountedRuling): string {
  const reversal = reverses === undefined ? [] : [`ruling ${reverses} is reversed`]
  const said = reversal.length > 0 && remedies.length === 0 ? reversal : [...reversal, penaltyWords(remedies)]
  const text = said.join('; ')
  return reversedBy === undefined ? text : `${text} (reversed by ruling ${reversedBy})`
}
