import type { Inform, Planned } from '../../../grammars/cops/index.ts'
import type { SeatId } from '../../contract/ids.ts'
import {
  COPS,
  foundOf,
  isAsWritten,
  isDirty,
  isOnBank,
  isRobbersWorld,
  isTwist,
  lootOf,
  nameOf,
  ROBBER,
  seesRobber,
  type Evidence,
  type Mode,
  type State,
  type Step,
} from './state.ts'
import { smellOf } from './streets.ts'

type Viewer = SeatId | 'public' | 'panel'

/** A match as a viewer knows it; null: unknown to it. Intersections are named. */
export type View = {
  readonly world: number
  readonly step: Step
  readonly end: State['end']
  /** Seats that are being waited for, as far as the viewer may know. */
  readonly waiting: readonly SeatId[]
  /** By seat. */
  readonly names: readonly string[]
  /** The robber's intersection; null: this viewer cannot see it. */
  readonly robber: string | null
  /** In dollars; the cost of pushes is subtracted only for those who know of it. */
  readonly loot: number
  /** In dollars, what pushes have cost; null: the viewer does not know. */
  readonly pushCosts: number | null
  /** In alphabetical order. */
  readonly banks: readonly { readonly loc: string; readonly value: number }[]
  /** Evidence on the map: for the panel and at the end. */
  readonly evidence: readonly EvidenceView[] | null
  /** By seat - 1. */
  readonly cops: readonly CopView[]
  /** The last round of informs, plans and votes that this viewer may know; null: there is none. */
  readonly round: RoundView | null
  readonly accusations: State['accusations']
  /** Those that were false; null: the viewer does not know. */
  readonly falseAccusations: State['falseAccusations'] | null
  readonly catchers: readonly SeatId[]
  /** By seat: why it is disqualified. */
  readonly disqualified: readonly (string | null)[]
  /** By seat: why its last message counted for nothing; for itself, the panel and at the end. */
  readonly refused: readonly (string | null)[]
}

export type EvidenceView = { readonly loc: string; readonly world: number }

export type CopView = {
  readonly seat: SeatId
  readonly loc: string
  readonly ptype: Mode
  readonly controller: SeatId
  /** 0: nothing; null: the viewer does not know. */
  readonly smell: number | null
  /** The evidence that it found on its way into this world; null: the viewer does not know. */
  readonly evidence: readonly EvidenceView[] | null
  /** Pieces of evidence that it has found so far; null: the viewer does not know. */
  readonly found: number | null
  /** How often its brain's plan was elected by the cops. */
  readonly elected: number
  readonly dirty: boolean | null
  readonly out: boolean
  /** The world in which its brain listed itself; 'unknown' for viewers who do not know. */
  readonly listedIn: number | null | 'unknown'
  /** True if its brain has accused wrongly; null: the viewer does not know. */
  readonly liar: boolean | null
}

export type RoundView = {
  readonly world: number
  /** By seat; null: not a part of the round, or nothing said yet. */
  readonly informs: readonly (readonly Inform[] | null)[]
  readonly plans: readonly (readonly Planned[] | null)[]
  /** By seat: seats, most desirable plan first. Others' ballots are for the panel and for the end. */
  readonly ballots: readonly (readonly SeatId[] | null)[]
  /** A seat; null: no winner; undefined: no tally yet. */
  readonly winner?: SeatId | null
}

/** A cop knows what its messages say; the robber sees all cops but not what they say; `public` knows what both sides know. */
export function viewOf(state: State, viewer: Viewer): View {
  const open = state.end !== null || viewer === 'panel'
  const scoundrel = open || viewer === ROBBER || (typeof viewer === 'number' && isDirty(state.brains[viewer]!))
  const { town, brains, robber, vaults } = state
  const seen = open || (typeof viewer === 'number' ? seesRobber(state, viewer) : isOnBank(state))
  return {
    world: state.world,
    step: state.step,
    end: state.end,
    // In the robber's worlds it would say who is dirty.
    waiting: scoundrel || !isRobbersWorld(state) ? state.waiting : [],
    names: brains.map((_, seat) => nameOf(state, seat)),
    robber: seen ? town.nodes[robber]!.loc : null,
    loot: scoundrel ? lootOf(state) : state.loot,
    pushCosts: scoundrel ? state.pushCosts : null,
    banks: town.banks.map((bank, place) => ({ loc: town.nodes[bank]!.loc, value: vaults[place]! })),
    evidence: open ? evidenceView(state, state.evidence) : null,
    cops: COPS.map((seat) => copView(state, seat, viewer, open, scoundrel)),
    round: roundView(state, viewer, open),
    accusations: state.accusations,
    // They are announced to everybody; earlier only their authors knew.
    falseAccusations: open || isAsWritten(state) ? state.falseAccusations : null,
    catchers: state.catchers,
    disqualified: brains.map(({ disqualified }) => disqualified),
    refused: brains.map(({ refused }, seat) => (open || viewer === seat ? refused : null)),
  }
}

function copView(state: State, seat: SeatId, viewer: Viewer, open: boolean, scoundrel: boolean): CopView {
  const { town, brains, robber } = state
  const bot = state.bots[seat - 1]!
  const brain = brains[seat]!
  const own = open || viewer === seat
  // Bots that it controls are told about together.
  const told = open || viewer === bot.controller
  const smells = told && !isRobbersWorld(state)
  return {
    seat,
    loc: town.nodes[bot.node]!.loc,
    ptype: bot.mode,
    controller: bot.controller,
    smell: smells ? smellOf(town, bot, robber) : null,
    evidence: told ? evidenceView(state, bot.evidence) : null,
    found: own && (open || !brain.out) ? foundOf(state, seat) : null,
    elected: brain.elected,
    dirty: scoundrel || own ? isDirty(brain) : isTwist(state) ? null : false,
    out: brain.out,
    listedIn: own ? brain.listedIn : 'unknown',
    liar: own || isAsWritten(state) ? brain.liar : null,
  }
}

function evidenceView({ town }: State, evidence: readonly Evidence[]): readonly EvidenceView[] {
  return evidence.map(({ node, world }) => ({ loc: town.nodes[node]!.loc, world }))
}

/** Rounds of odd worlds are the cops', those of even worlds the scoundrels'. Announcements are known when their step is complete. */
function roundView(state: State, viewer: Viewer, open: boolean): RoundView | null {
  const { round, said, step, world, winner } = state
  const scoundrels = round % 2 === 0
  const takesPart =
    typeof viewer === 'number' && (scoundrels ? viewer === ROBBER || isDirty(state.brains[viewer]!) : viewer !== ROBBER)
  if (step === 'register' || !(open || takesPart)) return null
  const current = round === world
  const show = <T>(values: readonly (T | null)[], complete: boolean): readonly (T | null)[] =>
    values.map((value, seat) => (open || complete || viewer === seat ? value : null))
  const after = (...steps: readonly Step[]): boolean => !current || !steps.includes(step)
  return {
    world: round,
    informs: show(
      said.map(({ informs }) => informs),
      after('inform'),
    ),
    plans: show(
      said.map(({ plan }) => plan),
      after('inform', 'plan'),
    ),
    ballots: show(
      said.map(({ ballot }) => ballot),
      false,
    ),
    ...(winner === undefined ? {} : { winner }),
  }
}
