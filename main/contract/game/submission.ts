/** The files of a package without an agent.json. */
export interface SubmittedFiles {
  /** True if the package has this file, by its path from the top. */
  has(path: string): boolean
  /** The text of a file in UTF-8; null: there is none. */
  text(path: string): string | null
}

/** A program that was packed for a game's own contest: the parts of an agent.json that follow from its files. */
export interface SubmittedProgram {
  readonly command: string[]
  readonly build?: string[]
  readonly process: 'match' | 'move'
  /** Packages that it needs on the machine, as it lists them. */
  readonly packages: string[]
}
