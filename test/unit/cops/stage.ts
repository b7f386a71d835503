import { printSkeleton, type SkeletonEdge, type SkeletonNode } from '../../../grammars/cops/index.ts'
import type { Answer } from '../../../main/referees/cops/answer.ts'
import { config, type Config } from '../../../main/referees/cops/config.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import {
  botName,
  isDirty,
  isRobbersWorld,
  nameOf,
  ROBBER,
  roundSeats,
  type State,
} from '../../../main/referees/cops/state.ts'

/** Intersections of the test town: a ring of 20, with the hq at r0, the start at r10 and banks at r2, r4, ... on both sides. */
const RING = 20
const BANKS = [3, 6, 9, 12, 15, 18]

/**
 * A ring of intersections r0 to r19: everybody can go both ways on foot, cars only upwards; a long road for cars leads from r0 to r10 and
 * back. The hq is r0, the robber starts at r10, banks are r3, r6, r9, r12, r15 and r18.
 */
export const RING_TOWN: string = townText(
  Array.from({ length: RING }, (_, at) => ({
    loc: `r${at}`,
    tag: at === 0 ? 'hq' : at === 10 ? 'robber-start' : BANKS.includes(at) ? 'bank' : 'ordinary',
    x: at,
    y: at,
  })),
  [
    ...Array.from({ length: RING }, (_, at) => ({ from: `r${at}`, to: `r${(at + 1) % RING}`, type: 'foot' as const })),
    { from: 'r0', to: 'r10', type: 'car' },
    { from: 'r10', to: 'r0', type: 'car' },
  ],
)

function townText(nodes: readonly SkeletonNode[], edges: readonly SkeletonEdge[]): string {
  return printSkeleton({ name: 'C1', robber: 'R', cops: ['C1', 'C2', 'C3', 'C4', 'C5'], nodes, edges })
}

export const completed = (settings: object = {}): Config => config.parse({ map: RING_TOWN, ...settings })

/** A match in which R and C1 to C5 have registered. `modes`: of the cops. */
export function begun(settings: object = {}, modes: readonly ('cop-foot' | 'cop-car')[] = []): State {
  const state = rules.initial(completed(settings), [], '')
  for (const seat of [0, 1, 2, 3, 4, 5]) {
    const ptype = seat === ROBBER ? 'robber' : (modes[seat - 1] ?? 'cop-foot')
    says(state, seat, { type: 'register', bot: seat === ROBBER ? 'R' : `C${seat}`, ptype })
  }
  return state
}

export function says(state: State, seat: number, answer: Answer): void {
  const refusal = rules.apply(state, { type: 'said', seat, answer })
  if (refusal !== null) throw new Error(refusal)
}

export function fails(state: State, seat: number, gone = false): void {
  const refusal = rules.apply(state, { type: 'fault', seat, fault: { kind: 'timeout', text: 'It was late.' }, gone })
  if (refusal !== null) throw new Error(refusal)
}

/** The moves of a seat's bots; absent: they stand still. */
export interface Wish {
  readonly loc?: string
  readonly ptype?: 'cop-foot' | 'cop-car'
  readonly market?: 'turncoat'
  readonly accuse?: readonly string[]
  readonly asks?: boolean
  readonly push?: { readonly bot: string; readonly loc: string }
  readonly choose?: readonly string[]
  readonly ballot?: readonly string[]
}

/** The answer that the current step wants of a seat. */
export function answerOf(state: State, seat: number, wish: Wish = {}): Answer {
  const twist = state.config.rules === '2005-twist'
  const { nodes } = state.town
  const here = nodes[seat === ROBBER ? state.robber : state.bots[seat - 1]!.node]!.loc
  const loc = wish.loc ?? here
  switch (state.step) {
    case 'inform':
      return { type: 'inform', informs: [] }
    case 'plan':
      return { type: 'plan', plan: [] }
    case 'vote':
      return { type: 'vote', ballot: wish.ballot ?? roundSeats(state).map((each) => nameOf(state, each)) }
    case 'move': {
      if (seat === ROBBER) return { type: 'move', loc, ptype: 'robber' }
      if (!twist) return { type: 'move', loc, ptype: wish.ptype ?? state.bots[seat - 1]!.mode }
      const bots = [...state.bots.keys()].filter((bot) => state.bots[bot]!.controller === seat)
      const moves = bots.map((bot) => ({
        bot: botName(state, bot),
        loc: bot === seat - 1 ? loc : nodes[state.bots[bot]!.node]!.loc,
        ptype: (bot === seat - 1 ? wish.ptype : undefined) ?? state.bots[bot]!.mode,
      }))
      const dirty = isDirty(state.brains[seat]!)
      return {
        type: 'orders',
        market: dirty ? null : (wish.market ?? 'straight-arrow'),
        moves,
        accuse: dirty ? [] : (wish.accuse ?? []),
      }
    }
    case 'bribe':
      return { type: 'bribe', asks: wish.asks ?? false }
    case 'orders':
      return {
        type: 'robber-orders',
        move: { bot: 'R', loc, ptype: 'robber' },
        push: wish.push ?? null,
        choose: wish.choose ?? null,
      }
    default:
      throw new Error(`nothing is said in step ${state.step}`)
  }
}

/** Plays the current world to its end, with these wishes by seat. */
export function plays(state: State, wishes: Readonly<Record<number, Wish>> = {}): void {
  const { world } = state
  while (state.world === world && state.end === null) {
    const [seat] = state.waiting
    says(state, seat!, answerOf(state, seat!, wishes[seat!]))
  }
}

/** Plays worlds in which everybody stands still until this one has begun. */
export function waitsUntil(state: State, world: number): void {
  while (state.world < world && state.end === null) plays(state)
}

/** The robber walks along these intersections, one in each of its worlds, while the cops stand still. */
export function robberWalks(state: State, ...locs: readonly string[]): void {
  for (const loc of locs) {
    if (!isRobbersWorld(state)) plays(state)
    plays(state, { 0: { loc } })
  }
}

export const vaultOf = (state: State, loc: string): number =>
  state.vaults[state.town.banks.indexOf(state.town.numbers.get(loc)!)]!
