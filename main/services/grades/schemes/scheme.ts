import { parseScheme } from '../../../../grammars/grades/parse-scheme.ts'
import type { Grade, GradedContest, GradedStudent } from '../../../contract/grades/grade-terms.ts'
import { bandOf, SCHEME_CHARACTERS_MAX, type Band, type SchemeProblem } from '../../../contract/grades/schemes.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { compile, SCHEME_FIGURES_MAX, SchemeFault, UsesFaulty } from './compile.ts'
import type { Compiled, CompiledNumber } from './compiled.ts'
import { GRADE, takenNames } from './functions.ts'

/** A scheme that was read for the contests of a class. */
export interface Scheme {
  readonly bands: readonly Band[]
  /** The ids of the contests that it names, by those names: titles may be given to others later. */
  readonly named: Readonly<Record<string, ContestId>>
  /** The contests to come that it names, alone or as phases. */
  readonly toCome: ReadonlySet<ContestId>
  /** The grade of each student, in their order. */
  grades(students: readonly GradedStudent[]): readonly Grade[]
}

type Fault = { readonly at: number; readonly code: string; readonly message: string }

/**
 * Reads a scheme. `contests`: those that it can name. `known`: the contests that it named when it was read before. All problems of a text are
 * returned, at most one a part.
 */
export function readScheme(
  text: string,
  contests: readonly GradedContest[],
  known: Readonly<Record<string, ContestId>> = {},
): { readonly scheme: Scheme } | { readonly problems: readonly SchemeProblem[] } {
  if (text.length > SCHEME_CHARACTERS_MAX) {
    const message = `A scheme has at most ${SCHEME_CHARACTERS_MAX} characters.`
    return { problems: [{ line: 1, column: 1, code: 'text-long', message }] }
  }
  const tree = parseScheme(text)
  if ('faults' in tree) return { problems: tree.faults.map((fault) => placed(text, fault)) }
  const faults: Fault[] = []
  const parts = new Map<string, Compiled | null>()
  const [used, toCome] = [new Map<string, ContestId>(), new Set<ContestId>()]
  const scope = { contests, known, used, toCome, parts, budget: { left: SCHEME_FIGURES_MAX } }
  for (const { at, name, value } of tree.parts) {
    if (parts.has(name) || takenNames.has(name)) {
      const is = parts.has(name) ? 'a part above' : 'a function or a column'
      faults.push({ at, code: 'name-twice', message: `"${name}" is ${is} already: choose another name.` })
      continue
    }
    parts.set(
      name,
      compiled(() => withName(name, compile(value, scope)), faults),
    )
  }
  const bands = tree.bands.map(({ from, label, written }) => ({ from: written === null ? null : from, label, written }))
  const wrong = bands.findIndex(({ from }, at) => at > 0 && (from ?? -Infinity) >= (bands[at - 1]!.from ?? -Infinity))
  if (wrong !== -1) {
    const at = bands[wrong]!.written?.start ?? tree.bandsAt ?? 0
    faults.push({ at, code: 'thresholds-order', message: 'Bands stand in descending order, "else" last.' })
  }
  const grade = parts.get(GRADE)
  if (grade === undefined)
    faults.push({ at: text.length, code: 'grade-missing', message: `A scheme needs a part "grade = ...".` })
  else if (grade !== null && grade.type !== 'number') {
    const at = tree.parts.find(({ name }) => name === GRADE)!.value.at
    faults.push({ at, code: 'type-mismatch', message: 'The grade must be one number, such as mean(...) of a list.' })
  }
  if (faults.length > 0 || grade?.type !== 'number')
    return { problems: faults.sort((a, b) => a.at - b.at).map((fault) => placed(text, fault)) }
  const inOrder = [...parts.values()]
  return {
    scheme: {
      bands,
      named: Object.fromEntries(used),
      toCome,
      grades(students) {
        // In their order, since a part that runs those before it, which run those before them, could use up the stack.
        for (const part of inOrder) if (part?.type === 'number' || part?.type === 'list') part.run(students)
        return gradesOf(grade, bands, students)
      },
    },
  }
}

/** null: the part has a problem, which is added to the faults unless it is that of another part. */
function compiled(task: () => Compiled, faults: Fault[]): Compiled | null {
  try {
    return task()
  } catch (error) {
    if (error instanceof SchemeFault) faults.push({ at: error.at, code: error.code, message: error.message })
    else if (!(error instanceof UsesFaulty)) throw error
    return null
  }
}

/** A number with a name is explained by it. Parts are computed once, however often others use them. */
function withName(name: string, of: Compiled): Compiled {
  if (of.type === 'list') return { ...of, run: once((students) => of.run(students)) }
  if (of.type !== 'number') return of
  if (name === GRADE) return { ...of, run: once((students) => of.run(students)) }
  return {
    type: 'number',
    run: once((students) => of.run(students).map((each) => ({ kind: 'named', name, value: each.value, of: each }))),
  }
}

/** Keeps the result for the newest list of students. */
function once<T>(run: (students: readonly GradedStudent[]) => T): (students: readonly GradedStudent[]) => T {
  let last: { readonly students: readonly GradedStudent[]; readonly result: T } | null = null
  return (students) => {
    if (last?.students !== students) last = { students, result: run(students) }
    return last.result
  }
}

function gradesOf(grade: CompiledNumber, bands: readonly Band[], students: readonly GradedStudent[]): readonly Grade[] {
  return grade.run(students).map((term, at) => ({
    person: students[at]!.person,
    value: term.value,
    band: bandOf(term.value, bands),
    term,
  }))
}

function placed(text: string, { at, code, message }: Fault): SchemeProblem {
  const before = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: before.length, column: before.at(-1)!.length + 1, code, message }
}
