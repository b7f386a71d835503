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
}
