import * as z from 'zod'
import { faultKind } from '../../../main/contract/faults.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Table } from '../../../main/contract/game/table.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { askAtOnce } from '../../../main/referees/ask-at-once.ts'

/**
 * Toy (e), after Cops & Robbers: one hider, three seekers; an entrant's package brings both roles, and one entrant may
 * take all seekers' seats. The hider chooses one of five places. Then, three times at most, the seekers propose a place each,
 * are told all proposals once all are in, and vote; as soon as two ballots agree in number of voters the vote is closed and
 * the third withdrawn. The elected place is searched. A seeker that fails is out; a hider that fails is found.
 */
const config = z.strictObject({})
const placeOf = z.int().min(0).max(4)
const seat = z.int().min(0).max(3)
const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hide'), place: placeOf }),
  z.strictObject({ type: z.literal('propose'), seat, place: placeOf }),
  z.strictObject({ type: z.literal('vote'), seat, place: placeOf }),
  z.strictObject({ type: z.literal('search') }),
  z.strictObject({ type: z.literal('out'), seat, why: faultKind }),
])
type Input = z.infer<typeof input>

const answer = z.strictObject({ place: placeOf })
type Answer = z.infer<typeof answer>

interface State {
  hidden: number | null
  round: number
  proposals: (number | null)[]
  ballots: (number | null)[]
  out: boolean[]
  searched: (number | null)[]
  found: boolean
}

const none = (): null[] => [null, null, null, null]

/** The place that most ballots name; null on a tie or without ballots. */
function elected(ballots: readonly (number | null)[]): number | null {
  const votes = [0, 1, 2, 3, 4].map((place) => ballots.filter((ballot) => ballot === place).length)
  const most = Math.max(...votes)
  return most > 0 && votes.filter((count) => count === most).length === 1 ? votes.indexOf(most) : null
}

const rules: Rules<object, State, Input, Json> = {
  initial: () => ({
    hidden: null,
    round: 0,
    proposals: none(),
    ballots: none(),
    out: [false, false, false, false],
    searched: [],
    found: false,
  }),
  apply(state, move) {
    if (rules.outcome(state) !== null) return 'the match is over'
    if (move.type === 'out') {
      if (state.out[move.seat] === true) return 'this seat is out'
      state.out[move.seat] = true
      if (move.seat === 0) state.found = true
    } else if (move.type === 'hide') {
      if (state.hidden !== null) return 'the hider has hidden'
      state.hidden = move.place
    } else if (state.hidden === null) {
      return 'nobody has hidden yet'
    } else if (move.type === 'search') {
      const place = elected(state.ballots)
      state.searched.push(place)
      state.found = place === state.hidden
      state.proposals = none()
      state.ballots = none()
      state.round++
    } else {
      if (move.seat === 0 || state.out[move.seat] === true) return 'this seat does not seek'
      if (move.type === 'vote' && !state.proposals.includes(move.place)) return 'nobody has proposed this place'
      const list = move.type === 'propose' ? state.proposals : state.ballots
      if (list[move.seat] !== null) return 'this has been said'
      list[move.seat] = move.place
    }
    return null
  },
  view({ hidden, round, searched, found, proposals }, viewer) {
    const known = viewer === 'panel' || viewer === 0 || found ? hidden : null
    const heard = viewer === 'panel' || (viewer !== 'public' && viewer > 0) ? [...proposals] : []
    return { round, searched: [...searched], found, hidden: known, proposals: heard }
  },
  save: (state) => structuredClone({ ...state }),
  load: (saved) => structuredClone(saved) as unknown as State,
  outcome({ round, out, found }) {
    const lost = out.slice(1).every((each) => each)
    if (!found && !lost && round < 3) return null
    return {
      places: out.map((removed, each) => {
        const won = !removed && (each === 0 ? !found : found)
        return { seat: each, rank: won ? 1 : found ? 4 : 2, score: won ? 1 : 0, removed }
      }),
    }
  },
}

async function referee(table: Table<Json, Answer, Input, State>, _config: object, limits: { moveMs: number }) {
  const { state } = table
  const all = table.seats.map(({ id }) => ({ seat: id, body: 0 }))
  const seekers = [1, 2, 3]
  const out = (seat: number, why: Input & { type: 'out' }): void => {
    table.commit(why, 'public')
    table.dismiss(seat)
  }
  const round = async (seats: readonly number[], message: Json, type: 'propose' | 'vote', enough?: number) => {
    const questions = seats.map((each) => ({ post: { seat: each, body: 0 }, message }))
    const replies = await askAtOnce(table, questions, limits.moveMs, enough === undefined ? {} : { enough })
    for (const [i, each] of seats.entries()) {
      const reply = replies[i]
      if (reply === undefined) continue
      if ('fault' in reply) {
        out(each, { type: 'out', seat: each, why: reply.fault.kind })
        continue
      }
      const refusal = table.commit({ type, seat: each, place: reply.value.place }, seekers)
      if (refusal !== null) out(each, { type: 'out', seat: each, why: 'invalid' })
    }
  }

  const [hide] = await askAtOnce(
    table,
    [{ post: { seat: 0, body: 0 }, message: { type: 'hide', role: 'hider' } }],
    limits.moveMs,
  )
  if (hide === undefined || 'fault' in hide) out(0, { type: 'out', seat: 0, why: hide?.fault.kind ?? 'timeout' })
  else table.commit({ type: 'hide', place: hide.value.place }, [0])

  while (rules.outcome(state) === null) {
    const left = (): number[] => seekers.filter((each) => state.out[each] === false)
    await round(left(), { type: 'propose', role: 'seeker', round: state.round }, 'propose')
    const proposals = state.proposals.slice(1)
    const voters = left()
    await round(voters, { type: 'vote', role: 'seeker', proposals }, 'vote', Math.min(2, voters.length))
    table.commit({ type: 'search' }, 'public')
    const still = all.filter((post) => state.out[post.seat] === false)
    table.tell(still, { type: 'searched', place: state.searched.at(-1) ?? null, found: state.found })
  }
}

const game: Game<object, State, Input, Json, Answer, Json> = {
  id: 'toy-council',
  title: 'Two roles and a vote',
  version: 1,
  config,
  input,
  answer,
  seats(_config, entrants) {
    if (entrants !== 2 && entrants !== 4) return 'Two or four entrants play.'
    return [0, 1, 2, 3].map((id) => ({
      id,
      entrant: Math.min(id, entrants - 1),
      role: id === 0 ? 'hider' : 'seeker',
      bodies: 1,
    }))
  },
  rules,
  referee,
  script: { adapter: '(agent) => agent' },
}

export { rules as councilRules }
export const council = eraseGame(game)
