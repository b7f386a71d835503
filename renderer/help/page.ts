import type { Rulebook } from '../rules/rulebook.ts'

/** A page of the manual, made of a page in docs/ when the window is built (scripts/manual.ts). */
export interface ManualPage {
  /** Its path in docs/ without the extension: `security/isolation`. */
  readonly id: string
  readonly title: string
  /** Its readers: `Teachers`. */
  readonly part: string
  /** Its contents in a few words; may be empty. */
  readonly about: string
  /** True if it is in the table of contents; the others are reached by links and by the search. */
  readonly listed: boolean
  /** Its headings below the title. */
  readonly sections: readonly ManualHeading[]
  load(): Promise<Rulebook>
}

interface ManualHeading {
  readonly id: string
  /** 2 for a section, 3 for a part of one. */
  readonly level: number
  readonly title: string
}
