import type { IsolationTier } from '../../../../main/contract/limits.ts'
import type { SecurityPolicy } from '../../../../main/contract/contests/policy.ts'
import type { Settings } from '../../../games/field.ts'
import type { ArenaForm } from '../arena/arena-form.ts'
import type { Unfit } from '../entrants/fitness.ts'

/** The contents of the New contest screen's fields. null: an empty number field. */
export interface Form {
  title: string
  game: string
  /** One of `formatForms`, or the name of a format of the game's own behind `OWN`. */
  format: string
  /** The contents of a format's fields that follow from its schema. */
  formatSettings: Settings
  seats: number | null
  repeats: number | null
  /** For ordered pairs: scenarios of the first stage, number of finalists, and scenarios of the final. */
  seeds: number | null
  finalists: number | null
  finalSeeds: number | null
  /** The rule for entrants that are tied at the cut of that final. */
  ties: 'play-on' | 'seed'
  /** For a round-robin that may end early: the number of best entrants to determine (null: it does not end early), and the confidence in per cent. */
  untilTop: number | null
  untilConfidence: number | null
  seed: string
  /** True if the seed is mixed with a phrase of the class. */
  classPhrase: boolean
  startMs: number | null
  moveMs: number | null
  /** ms for a seat and match beyond the time per move; 0: none. */
  bankMs: number | null
  strikes: number | null
  /** Steps of each answer of a script; null: they follow from the time for a move. */
  steps: number | null
  memoryMb: number | null
  isolation: IsolationTier
  clock: 'frozen' | 'real'
  /** Share of matches that are played once more, with frozen clocks only. */
  samplePercent: number | null
  /** Share of its points that a team gives to the authors of components; 0: none. */
  sharePercent: number | null
  /** As `readOffered` reads it. Empty: programs may use what the machine has. */
  toolchains: string
  policy: SecurityPolicy
  /** Names of agents. */
  entrants: readonly string[]
  /** Names of entrants in the order that was arranged; entrants that are not among them follow. */
  order: readonly string[]
  /** Names of agents that connect from other machines, one on a line. */
  connecting: string
  /** The place where they connect. */
  arena: ArenaForm
  /** The game's own. */
  settings: Settings
}

/** A form that was left unfinished, with what is known about its agents. */
export interface KeptForm {
  readonly form: Form
  readonly choice: ChoiceOfAgents
}

/** The facts that decide which agents are chosen by themselves. */
export interface ChoiceOfAgents {
  /** Names of agents that were taken out because they cannot play; they return when they can. */
  readonly aside: readonly string[]
  /** Why agents were left out when the chosen ones were last looked at, by name; a person may have chosen some all the same. */
  readonly leftOut: ReadonlyMap<string, string>
  /** The findings of trial matches under these conditions. */
  readonly found: { readonly of: string; readonly reasons: Unfit }
}

export const noChoice: ChoiceOfAgents = { aside: [], leftOut: new Map(), found: { of: '', reasons: new Map() } }

let kept: { readonly challenge: string | undefined; readonly what: KeptForm } | null = null

/** A form that was left unfinished, for the same challenge; it is kept as long as the window is open. */
export function keptForm(challenge: string | undefined): KeptForm | null {
  return kept !== null && kept.challenge === challenge ? kept.what : null
}

/** Keeps a form that is being left; null: the contest was created. */
export function keepForm(challenge: string | undefined, what: KeptForm | null): void {
  kept = what === null ? null : { challenge, what }
}
