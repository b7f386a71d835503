import type { NewRuling } from '../../contract/contests/rulings.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import type { Role } from '../../contract/people/people.ts'
import { MachineError } from '../../histories/machine-error.ts'
import type { ClassCases } from './class-cases.ts'
import type { KeptCase } from './kept-case.ts'

/** The rulings of cases as contests count them. */
export interface CountedRulings {
  /** Tells contests of rulings that they do not count yet. */
  count(): Promise<void>
  /** The same, if a ruling of this contest waits. To be called when the contest is no longer played. */
  retry(contest: ContestId): void
  /** The reason why the contest does not count a ruling of the case yet, as a sentence for somebody of this role; null: it counts all. */
  problem(id: CaseId, role: Role | null): string | null
}

/**
 * Rulings of a case against a ruling are counted when they are final: an upheld one reverses the ruling that it is against.
 * `rule`: enters a ruling in the files of a contest and returns its number there; one that is there already is only returned. A
 * ruling that a contest refuses, for example because it is being played, is tried again at the next call.
 */
export function countRulings(
  { kept }: Pick<ClassCases, 'kept'>,
  rule: (contest: ContestId, ruling: NewRuling) => Promise<{ readonly number: number }>,
  onFatal: (error: unknown) => void,
): CountedRulings {
  /** The numbers of rulings in their contests, by the hashes of their entries. */
  const counted = new Map<Sha256, number>()
  const problems = new Map<CaseId, ExpectedError | MachineError>()
  let last = Promise.resolve()

  /** The number of the ruling that a case is against, the last one that was counted; null: nothing was. */
  const numberOf = (id: CaseId): number | null => {
    const problem = problems.get(id)
    // It has to be there first, unless the contest never takes it.
    if (problem !== undefined && isTemporary(problem)) throw problem
    const earlier = kept.get(id)
    if (earlier === undefined) throw new ExpectedError('host', 'case-damaged', `The record of ${id} cannot be read.`)
    const { state, entries } = earlier
    return state.rulings.flatMap(({ n }) => counted.get(entries[n - 1]!.h) ?? []).at(-1) ?? null
  }

  const countOne = async ({ id, state, entries }: KeptCase): Promise<void> => {
    const { against } = state.filed
    const isAboutRuling = against.what === 'ruling'
    if (isAboutRuling && state.outcome !== 'upheld') return
    let before = isAboutRuling ? numberOf(against.case) : null
    for (const { n, at, penalty } of isAboutRuling ? state.rulings.slice(-1) : state.rulings) {
      // A ruling without a penalty changes nothing, unless it reverses one.
      if (penalty.length === 0 && before === null) continue
      const entry = entries[n - 1]!.h
      const ruling: NewRuling = { case: id, entry, remedies: penalty, at }
      if (before !== null) ruling.reverses = before
      try {
        before = counted.get(entry) ?? (await rule(state.filed.contest, ruling)).number
        counted.set(entry, before)
      } catch (error) {
        // A ruling that the contest never counts has nothing to reverse: that of the appeal does not wait for it.
        const isReplaced = n !== state.rulings.at(-1)!.n
        if (!isReplaced || isTemporary(error)) throw error
      }
    }
  }

  const countAll = async (): Promise<void> => {
    for (const each of kept.values()) {
      try {
        await countOne(each)
        problems.delete(each.id)
      } catch (error) {
        if (!(error instanceof ExpectedError) && !(error instanceof MachineError)) throw error
        problems.set(each.id, error)
      }
    }
  }

  const count = (): Promise<void> => (last = last.then(countAll))
  return {
    count,
    problem(id, role) {
      const problem = problems.get(id)
      if (problem === undefined) return null
      return role === 'student' && problem instanceof MachineError ? UNCOUNTED : problem.message
    },
    retry(contest) {
      if ([...problems.keys()].some((id) => kept.get(id)?.state.filed.contest === contest)) void count().catch(onFatal)
    },
  }
}

/** Paths of the machine are for those who administer the class. */
const UNCOUNTED = 'The contest cannot count a ruling of this case now: tell your educator.'

/** True if the contest can take the ruling later. */
const isTemporary = (error: unknown): boolean => !(error instanceof ExpectedError) || error.code === 'contest-running'
