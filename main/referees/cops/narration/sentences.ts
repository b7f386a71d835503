import type { Answer } from '../answer.ts'

/** Entries of a list that are told; the history has all of them. */
const LISTED = 6

const listed = (entries: readonly string[]): string =>
  entries.length <= LISTED
    ? entries.join(', ')
    : `${entries.slice(0, LISTED).join(', ')} and ${entries.length - LISTED} more`

/** The name of an entrant and, where it differs, that of its robot: one entrant may play several. */
export const nameInWords = (entrant: string, bot: string | null | undefined): string =>
  bot === null || bot === undefined || bot === entrant ? entrant : `${entrant} (${bot})`

/** The rest of a sentence after the name of the seat. */
export function saidInWords(answer: Answer): string {
  switch (answer.type) {
    case 'register':
      return `registers as ${answer.bot} (${answer.ptype}).`
    case 'inform':
      return answer.informs.length === 0
        ? 'announces nothing.'
        : `announces ${listed(answer.informs.map(({ bot, loc, world, certainty }) => `${bot} at ${loc} in world ${world} (${certainty} %)`))}.`
    case 'plan':
      return answer.plan.length === 0
        ? 'proposes an empty plan.'
        : `proposes ${listed(answer.plan.map(({ bot, loc, ptype }) => `${bot} to ${loc} as ${ptype}`))}.`
    case 'vote':
      return `votes ${answer.ballot.join(' > ')}.`
    case 'move':
      return `moves to ${answer.loc} as ${answer.ptype}.`
    case 'orders': {
      const moves = answer.moves.map(({ bot, loc, ptype }) => `${bot} to ${loc} as ${ptype}`)
      const market = answer.market === 'turncoat' ? ' and lists itself on the black market' : ''
      const accuses = answer.accuse.length === 0 ? '' : `; it accuses ${listed(answer.accuse)}`
      return `moves ${moves.length === 0 ? 'nobody' : listed(moves)}${market}${accuses}.`
    }
    case 'bribe':
      return answer.asks ? 'asks who can be bribed.' : 'asks for no bribe.'
    case 'robber-orders': {
      const { move, push, choose } = answer
      const bribes = choose === null || choose.length === 0 ? '' : `, bribes ${listed(choose)}`
      const pushes = push === null ? '' : `, pushes ${push.bot} to ${push.loc}`
      return `moves to ${move.loc}${bribes}${pushes}.`
    }
  }
}
