import type { CasePerson } from '../../contract/cases/case-record.ts'
import type { PanelKind, Pseudonym } from '../../contract/cases/cases.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'

// The lot of a panel. It follows from its arguments alone, so that anybody can draw it again (docs/hearings.md).

/** The commitment to a seed, in the first entry of a record. */
export function lotCommitment(seed: string): Sha256 {
  return sha256(`tartaglia lot ${seed}`)
}

/** Everything on which a lot depends. */
export interface LotInput {
  readonly seed: string
  /** The texts that students added, in the order of their entries. */
  readonly salts: readonly string[]
  readonly people: readonly CasePerson[]
  /** Members of the teams concerned are known by their side; these are left out as well: conflicts, refused, gone. */
  readonly out: ReadonlySet<Pseudonym>
  readonly volunteers: ReadonlySet<Pseudonym>
  readonly volunteersFirst: boolean
  readonly panel: PanelKind
  /** The members of the first panel, in an appeal; empty: this is the first one. */
  readonly earlier: readonly Pseudonym[]
}

export interface Lot {
  /** In the order of the lot. */
  readonly panel: readonly Pseudonym[]
  /** Assistants, educators and members of the first panel who fill it, since too few students remained. */
  readonly filled: readonly Pseudonym[]
  /** They follow for members who leave, in this order. */
  readonly reserve: readonly Pseudonym[]
}

/** The fewest members of a panel of all others, before assistants and educators fill it. */
const FEWEST = 3
/** The members that a panel of an appeal has more. */
const MORE_IN_APPEAL = 2

/**
 * Draws a panel: volunteers first if the settings say so, then other students; where there are too few, assistants, then educators,
 * then, in an appeal, members of the first panel.
 */
export function drawLot(input: LotInput): Lot {
  const { people, out, volunteers, volunteersFirst, panel, earlier } = input
  const heard = new Set(earlier)
  const free = people.filter(({ side }) => side === null)
  const others = free.filter(({ id }) => !heard.has(id))
  const students = others.filter(({ role }) => role === 'student')
  const isFirst = ({ id }: CasePerson): boolean => volunteersFirst && volunteers.has(id)
  const groups = [
    students.filter(isFirst),
    students.filter((person) => !isFirst(person)),
    others.filter(({ role }) => role === 'assistant'),
    others.filter(({ role }) => role === 'educator'),
    free.filter(({ id }) => heard.has(id)),
  ]
  const next = wordsOf(sha256([input.seed, ...input.salts].join(' ')))
  // Left out after the lot: the last side that refuses somebody moves nobody else by it.
  const order = groups.flatMap((group) => shuffledIds(group, next)).filter((id) => !out.has(id))
  const own = new Set(students.map(({ id }) => id).filter((id) => !out.has(id)))
  const chosen = order.slice(0, sizeOf(panel, own.size, earlier.length > 0, order.length))
  return { panel: chosen, filled: chosen.filter((id) => !own.has(id)), reserve: order.slice(chosen.length) }
}

/** The members of a panel. All others of the class: in an appeal with staff and the first panel, as nobody else is left. */
function sizeOf(panel: PanelKind, students: number, isAppeal: boolean, most: number): number {
  const wanted =
    panel === 'all' ? (isAppeal ? most : Math.max(students, FEWEST)) : isAppeal ? panel + MORE_IN_APPEAL : panel
  return Math.min(wanted, most)
}

/** Uniform 32-bit numbers: the first eight hex digits of SHA-256 of the seed, a space and a counter from 0. */
function wordsOf(seed: Sha256): () => number {
  let counter = 0
  return () => Number.parseInt(sha256(`${seed} ${counter++}`).slice(0, 8), 16)
}

const WORDS = 2 ** 32

/** A uniform number below n: numbers beyond the largest multiple of n are left out. */
function below(next: () => number, n: number): number {
  const limit = WORDS - (WORDS % n)
  for (;;) {
    const word = next()
    if (word < limit) return word % n
  }
}

/** Fisher and Yates, from the last place down, beginning with the order of the ids. */
function shuffledIds(group: readonly CasePerson[], next: () => number): readonly Pseudonym[] {
  const ids = group.map(({ id }) => id).sort()
  for (let last = ids.length - 1; last > 0; last--) {
    const other = below(next, last + 1)
    const held = ids[last]!
    ids[last] = ids[other]!
    ids[other] = held
  }
  return ids
}
