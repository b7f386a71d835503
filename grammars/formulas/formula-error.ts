/**
 * Why a formula has no value for these inputs. Thrown inside an evaluation only, which returns it as data.
 * `at`: offset in the formula's text, where known.
 */
export class FormulaError extends Error {
  readonly at: number | null
  constructor(message: string, at: number | null = null) {
    super(message)
    this.at = at
  }
}
