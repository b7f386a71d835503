/** A measured figure. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** A line of the table: a figure beside what it is held against, both from this run. */
export interface Row extends Figure {
  readonly baseline: Figure
  /** value / baseline.value */
  readonly ratio: number
  /** The target of the figure or of the ratio, if there is one. */
  readonly target?: Target
}

export interface Target {
  readonly of: 'value' | 'ratio'
  readonly atLeast?: number
  readonly below?: number
}

/** A group of rows that are measured together and chosen by one name. */
export interface Bench {
  readonly name: string
  /** Takes minutes: measured where it is named, and not with all others. */
  readonly onlyByName?: true
  measure(): Promise<readonly Row[]>
}

export function rowOf(figure: Figure, baseline: Figure, target?: Target): Row {
  const ratio = figure.value / baseline.value
  return { ...figure, baseline, ratio, ...(target === undefined ? {} : { target }) }
}
