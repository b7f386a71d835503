/** Something that happened in a match, as a sentence for people. */
export interface NarratedLine {
  /** Refers to seats by name. It may quote texts of agents. */
  readonly text: string
  /** The rule that applied, such as `rule 5`; null: none. */
  readonly rule: string | null
}

/** Describes matches in sentences. `names`: the names of the seats. */
export interface Narrator<S, I> {
  /**
   * Called with the state before an input is applied; the returned function is called after it. One line for each
   * event.
   */
  input(state: S, names: readonly string[]): (input: I) => readonly NarratedLine[]
  /** The possessions and debts of each seat, in one sentence. */
  standing(state: S, names: readonly string[]): readonly string[]
}

/** An input in sentences, and the standing after it. */
export interface NarratedInput {
  readonly lines: readonly NarratedLine[]
  readonly standing: readonly string[]
}
