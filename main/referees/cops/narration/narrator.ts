import type { Narrator, NarratedLine } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { COPS, foundOf, lootOf, type State, isAsWritten, isDirty, isOnBank, ROBBER, roundSeats } from '../state.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Answer } from '../answer.ts'

/** Maximum characters of a fault's text; the history has all of it. */
const LONGEST = 2_000

/** Every message with the reason for a refused one, then what it led to: an election, a theft, a bribe, an accusation, the end. */
export const narrator: Narrator<State, Input> = {
  input(state, names) {
    const before = rememberedOf(state)
    const nameOf = (seat: number): string => named(state, names, seat)
    return (input) => {
      const said = `World ${before.world}: ${nameOf(input.seat)} ${told(state, input)}`
      return [line([said, ...consequencesOf(before, state, nameOf).map(({ text }) => text)].join(' '))]
    }
  },
  // While robots register, each name would change the lines.
  standing: (state, names) =>
    state.step === 'register'
      ? []
      : [
          `The robber has $${lootOf(state)}.`,
          `Evidence: ${COPS.map((seat) => `${named(state, names, seat)} ${foundOf(state, seat)}`).join(', ')}.`,
          `Elected plans: ${COPS.map((seat) => `${named(state, names, seat)} ${state.brains[seat]!.elected}`).join(', ')}.`,
        ],
}

const named = ({ brains }: State, names: readonly string[], seat: number): string =>
  nameInWords(names[seat] ?? '', brains[seat]!.name)

const line = (text: string): NarratedLine => ({ text, rule: null })

function told(state: State, input: Input): string {
  const { disqualified, refused } = state.brains[input.seat]!
  const said = input.type === 'said' ? saidInWords(input.answer) : 'sends nothing that can be read.'
  if (disqualified !== null) return `${said} It is disqualified: ${disqualified.slice(0, LONGEST)}`
  return refused === null ? said : `${said} It counts for nothing: ${refused.slice(0, LONGEST)}`
}

/** The facts about a state before an input from which its consequences follow. */
export interface Before {
  readonly world: number
  readonly loot: number
  readonly winner: State['winner']
  /** Seats. */
  readonly voters: readonly SeatId[]
  readonly bribed: readonly SeatId[]
  readonly listed: readonly SeatId[]
  readonly liars: readonly SeatId[]
  readonly accusations: number
}

/** Something that an input led to, in a sentence. */
export interface Consequence {
  readonly text: string
  /** The seats that learn of it then; 'all': every seat. */
  readonly known: 'all' | readonly SeatId[]
}

export function rememberedOf(state: State): Before {
  const { brains } = state
  return {
    world: state.world,
    loot: state.loot,
    winner: state.winner,
    voters: roundSeats(state),
    bribed: COPS.filter((seat) => isDirty(brains[seat]!)),
    listed: COPS.filter((seat) => brains[seat]!.listedIn !== null),
    liars: COPS.filter((seat) => brains[seat]!.liar),
    accusations: state.accusations.length,
  }
}

/** The consequences of an input, in the order in which they happen: an election, a theft, deals and accusations of the twist, the end. */
export function consequencesOf(before: Before, state: State, nameOf: (seat: SeatId) => string): readonly Consequence[] {
  const { brains, winner } = state
  const found: Consequence[] = []
  if (before.winner === undefined && winner !== undefined) {
    const text = winner === null ? 'No plan is elected.' : `The plan of ${nameOf(winner)} is elected.`
    found.push({ text, known: before.voters })
  }
  const bribed = COPS.filter((seat) => isDirty(brains[seat]!))
  for (const seat of bribed)
    if (!before.bribed.includes(seat)) found.push({ text: `${nameOf(seat)} is bribed.`, known: [ROBBER, ...bribed] })
  if (state.loot > before.loot && isOnBank(state))
    found.push({
      text: `The robber takes $${state.loot - before.loot} from ${state.town.nodes[state.robber]!.loc}.`,
      known: 'all',
    })
  for (const seat of COPS)
    if (brains[seat]!.listedIn !== null && !before.listed.includes(seat))
      found.push({ text: `${nameOf(seat)} is on the black market from now on.`, known: [seat] })
  for (const { accuser, accused } of state.accusations.slice(before.accusations))
    found.push({
      text: `${nameOf(accuser)} accuses ${nameOf(accused)} rightly and moves its robots from now on.`,
      known: 'all',
    })
  for (const seat of COPS)
    if (brains[seat]!.liar && !before.liars.includes(seat))
      found.push({ text: `${nameOf(seat)} has accused wrongly.`, known: isAsWritten(state) ? 'all' : [seat] })
  return [...found, ...ending(state, nameOf)]
}

function ending(state: State, nameOf: (seat: SeatId) => string): readonly Consequence[] {
  const text = {
    caught: `${state.catchers.map(nameOf).join(' and ')} caught the robber.`,
    escaped: `${nameOf(ROBBER)} has escaped with $${lootOf(state)}.`,
    disqualified: 'The game is void.',
  }
  return state.end === null ? [] : [{ text: text[state.end], known: 'all' }]
}

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
