/**
 * Why a formula has no value for these inputs. Thrown only within an evaluation, which returns it as data.
 * `at`: the offset in the formula's text, if known.
 */
export class FormulaError extends Error {
  readonly at: number | null
  constructor(message: string, at: number | null = null) {
    super(message)
    this.at = at
  }

  /** The same error with an offset, unless it already has one. */
  placed(at: number): FormulaError {
    return this.at === null ? new FormulaError(this.message, at) : this
  }
}

/** The formula is beyond a limit of the language: too many steps, or a number with too many digits. */
export class LimitError extends FormulaError {
  override placed(at: number): LimitError {
    return this.at === null ? new LimitError(this.message, at) : this
  }
}
