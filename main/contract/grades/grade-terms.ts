import type { ContestId } from '../ids.ts'
import type { TeamId } from '../people/teams.ts'
import type { PersonId } from '../people/people.ts'

// Grades as data: a figure is a tree of terms, from which sentences are made (`grade-words.ts`).

/** The functions of a scheme that read a contest; see docs/grades.md. */
export const contestMeasures = ['place', 'tied', 'share', 'points', 'against', 'late', 'played', 'handed'] as const
export type ContestMeasure = (typeof contestMeasures)[number]

/** The columns of a scheme that concern no contest. */
export const counts = ['filed', 'upheld', 'panels', 'published'] as const
export type GradeCount = (typeof counts)[number]

/** The effect of a ruling for an entrant. `points`: given or taken; null: another remedy. */
export interface RulingEffect {
  readonly ruling: number
  readonly remedy: 'points' | 'energy' | 'forfeit' | 'removal'
  readonly points: number | null
}

/** The facts about a team in a contest from which its measures follow. */
export interface TeamInContest {
  readonly rank: number
  readonly of: number
  /** As in the standings, after rulings. */
  readonly points: number
  /** The share of the others placed behind, in percent; with chains of overlapping intervals of ratings as ties. */
  readonly place: number
  readonly tied: number
  /** The number of entrants in its chain of overlapping intervals, itself included. */
  readonly tiedWith: number
  /** Its points as a part of the largest ones, in percent; 0 at least. */
  readonly share: number
  /** Absent: the contest has no ruling. */
  readonly asPlayed?: { readonly rank: number; readonly points: number }
  readonly rulings: readonly RulingEffect[]
  /** The late days of the version that played. */
  readonly late: number
  /** By the name of another entrant: the matches with it, and those in which the team was placed before it (ties: half). */
  readonly against: Readonly<Record<string, { readonly better: number; readonly met: number }>>
}

/** A contest as schemes see it. */
export interface GradedContest {
  readonly contest: ContestId
  readonly title: string
  readonly game: string
  /** The first phase of the longer contest that it is a phase of; itself if it is a contest of its own. */
  readonly firstPhase: ContestId
  /** Teams that have played. */
  readonly teams: Readonly<Record<TeamId, TeamInContest>>
  /** The hand-ins for it, by team. */
  readonly handed: Readonly<Record<TeamId, number>>
  /** The entrants whom `against` can name; null: too many for results against one another. */
  readonly opponents: readonly string[] | null
  /** It has not ended: a scheme can name it, and it counts nothing yet but hand-ins. */
  readonly isToCome?: boolean
}

/** A student as schemes see them. */
export interface GradedStudent {
  readonly person: PersonId
  /** null: none. */
  readonly team: TeamId | null
  readonly counts: Readonly<Record<GradeCount, number>>
}

/** The functions of a scheme that combine figures. */
export type GradeFunction =
  'mean' | 'sum' | 'min' | 'max' | 'weighted' | 'cap' | 'step' | 'curve' | 'round' | 'if' | '-x'

/** A figure with its explanation. */
export type GradeTerm =
  | { readonly kind: 'number'; readonly value: number }
  /** `facts` null: the team did not play in the contest, or the student has no team. */
  | {
      readonly kind: 'measure'
      readonly value: number
      readonly measure: ContestMeasure
      readonly contest: ContestId
      readonly title: string
      /** The other agent of `against`; '' for other measures. */
      readonly other: string
      readonly facts: Omit<TeamInContest, 'against'> | null
      /** The contest has not ended. */
      readonly isToCome?: boolean
      /** The matches of `against`; null for other measures, and if they have not met. */
      readonly met: { readonly better: number; readonly met: number } | null
    }
  | { readonly kind: 'count'; readonly value: number; readonly count: GradeCount }
  | { readonly kind: 'named'; readonly value: number; readonly name: string; readonly of: GradeTerm }
  | {
      readonly kind: 'operator'
      readonly value: number
      readonly operator: '+' | '-' | '*' | '/'
      readonly parts: readonly [GradeTerm, GradeTerm]
    }
  /** `left`: figures that were dropped. `settings`: weights, thresholds with values, mean and deviation, digits. */
  | {
      readonly kind: 'function'
      readonly value: number
      readonly name: GradeFunction
      readonly parts: readonly GradeTerm[]
      readonly left: readonly GradeTerm[]
      readonly settings: readonly number[]
    }

/** The grade of a student by a scheme. */
export interface Grade {
  readonly person: PersonId
  readonly value: number
  /** The label of its band; null: the scheme has no bands, or the grade is below all of them. */
  readonly band: string | null
  readonly term: GradeTerm
}
