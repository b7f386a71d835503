import type { SeatId } from '../../contract/ids.ts'
import { PUSH_COST, marketOf } from './legality.ts'
import { COPS, copsInOrder, isDirty, isTwist, type Decision, type Deed, type State } from './state.ts'

/** Evidence is left in worlds divisible by this, and not in world 0. */
const EVIDENCE_EVERY = 8
/** Worlds that evidence lasts. */
const EVIDENCE_LASTS = 24
/** The number of worlds after which a robbed bank gets its transfer. */
const TRANSFER_AFTER = 8
/** Each bank contributes this part of the difference. */
const TRANSFER_PART = 6

/** The robber's turn (section 2.3.1): bribes and a push, the move, evidence, larceny, transfer, and what cops find. */
export function robberTurn(state: State, { node, push, bribes }: Deed): void {
  const { brains, bots, world } = state
  let order = COPS.filter((seat) => isDirty(brains[seat]!)).length
  for (const seat of bribes) {
    brains[seat]!.bribed = order
    order += 1
  }
  for (const seat of marketOf(state)) brains[seat]!.waited += 1
  if (push !== null) {
    bots[push.bot]!.node = push.node
    state.pushCosts += PUSH_COST
  }
  placeEvidence(state)
  state.robber = node
  if (caught(state)) return
  rob(state, world)
  transfer(state, world)
  collect(state)
}

/** The cops' turn (section 2.3.2): all move at once; in the twist they then list themselves and accuse. */
export function copTurn(state: State): void {
  const { bots, decisions, brains, world } = state
  for (const decision of decisions) {
    for (const { bot, node, mode } of decision?.moves ?? []) Object.assign(bots[bot]!, { node, mode })
  }
  for (const seat of COPS) if (lists(state, seat)) brains[seat]!.listedIn ??= world
  caught(state)
  if (isTwist(state)) accuse(state)
  for (const bot of bots) bot.evidence = []
}

/** True if a clean brain lists itself now: in its world of the setting if it has one, otherwise by its own announcement. */
function lists({ brains, config, decisions, world }: State, seat: SeatId): boolean {
  const setting = config.rules === '2005-twist' ? config.marketWorlds?.[COPS.length - seat] : undefined
  if (setting === undefined) return decisions[seat]?.lists === true
  return setting === world && !isDirty(brains[seat]!) && !brains[seat]!.out
}

function placeEvidence(state: State): void {
  const { world, robber } = state
  const lasting = state.evidence.filter((each) => each.world !== world - EVIDENCE_LASTS)
  const left = world > 0 && world % EVIDENCE_EVERY === 0
  state.evidence = left ? [...lasting, { node: robber, world }] : lasting
}

function rob(state: State, turn: number): void {
  const bank = state.town.banks.indexOf(state.robber)
  if (bank === -1) return
  state.loot += state.vaults[bank]!
  state.vaults[bank] = 0
  state.thefts = [...state.thefts, { bank, turn }]
}

/** Every bank gives a sixth of the difference, in whole dollars towards zero, of what it and the robbed bank had before. */
function transfer(state: State, turn: number): void {
  const due = state.thefts.find((theft) => theft.turn === turn - TRANSFER_AFTER)
  if (due === undefined) return
  state.thefts = state.thefts.filter((theft) => theft !== due)
  const before = [...state.vaults]
  for (const [bank, had] of before.entries()) {
    const given = Math.trunc((had - before[due.bank]!) / TRANSFER_PART)
    state.vaults[bank]! -= given
    state.vaults[due.bank]! += given
  }
}

/** Clean cops are given the evidence of their intersections; each of several gets all of it. */
function collect(state: State): void {
  const taken = new Set<number>()
  for (const bot of state.bots) {
    const brain = state.brains[bot.controller]!
    bot.evidence = isDirty(brain) ? [] : state.evidence.filter(({ node }) => node === bot.node)
    brain.found += bot.evidence.length
    bot.found += bot.evidence.length
    if (bot.evidence.length > 0) taken.add(bot.node)
  }
  if (taken.size > 0) state.evidence = state.evidence.filter(({ node }) => !taken.has(node))
}

function caught(state: State): boolean {
  const seats = state.bots.filter(({ node }) => node === state.robber).map(({ controller }) => controller)
  if (seats.length === 0) return false
  state.catchers = [...new Set(seats)]
  state.end = 'caught'
  return true
}

/** The brain that begins rotates: in world 1 the first of the skeleton, in world 3 the second, and so on. */
function accuse(state: State): void {
  const { world, decisions, brains } = state
  const order = copsInOrder(state)
  const first = ((world - 1) / 2) % order.length
  const accusers = [...order.slice(first), ...order.slice(0, first)]
  const wasDirty = new Set(COPS.filter((seat) => isDirty(brains[seat]!)))
  for (const accuser of accusers) accuseAll(state, accuser, decisions[accuser], wasDirty)
}

function accuseAll(
  state: State,
  accuser: SeatId,
  decision: Decision | null | undefined,
  dirty: ReadonlySet<SeatId>,
): void {
  for (const accused of decision?.accuse ?? []) {
    if (!dirty.has(accused)) {
      state.brains[accuser]!.liar = true
      state.falseAccusations = [...state.falseAccusations, { accuser, accused, world: state.world }]
      return
    }
    const brain = state.brains[accused]!
    if (brain.out) continue
    brain.out = true
    state.accusations = [...state.accusations, { accuser, accused, world: state.world }]
    for (const bot of state.bots) if (bot.controller === accused) bot.controller = accuser
  }
}
