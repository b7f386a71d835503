import type { CountedRuling, Remedy } from './rulings.ts'

/** The ruling after which results are: "after ruling 3". */
export const afterRuling = (number: number): string => `after ruling ${number}`

/** A remedy in a few words. */
function remedyWords(remedy: Remedy): string {
  switch (remedy.type) {
    case 'none':
      return 'no remedy'
    case 'warning':
      return `${remedy.entrant} is warned`
    case 'points':
      return `${remedy.entrant}: ${remedy.points > 0 ? '+' : '−'}${Math.abs(remedy.points)} points`
    case 'annul':
      return `match ${remedy.match} is annulled${remedy.playAgain ? ' and to be played again' : ''}`
    case 'forfeit':
      return `${remedy.entrant} forfeits ${matchesWords(remedy.matches)}`
    case 'removal':
      return `${remedy.entrant} is removed: it forfeits all matches and is listed last`
    case 'award':
      return `${remedy.entrant} is awarded ${remedy.amount}, outside of all matches`
  }
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
  const said = [...reversal, ...remedies.map(remedyWords)]
  const text = said.length === 0 ? 'no remedy' : said.join('; ')
  return reversedBy === undefined ? text : `${text} (reversed by ruling ${reversedBy})`
}
