import * as z from 'zod'
import type { ContestDetail, ContestSummary, Settings } from './answers.ts'
import type { Classes, ExportProgress } from './classes.ts'
import type { CaseProgress, CaseRoom } from '../cases/case-procedures.ts'
import type { Play } from './human-match.ts'
import type { NetworkState } from './network.ts'
import type { LiveMatch } from '../game/live-match.ts'

/** Values that the program sends to subscribed screens, at most four times a second each. */
export interface Topics {
  /** The running contests. */
  readonly status: readonly ContestSummary[]
  /** `contest:<id>`: one contest. */
  readonly contest: ContestDetail
  /** The list of agents has changed. */
  readonly agents: null
  /** The people of the class have changed. */
  readonly people: null
  /** The list of cases has changed. */
  readonly cases: null
  /** `case:<id>`: where a case stands. */
  readonly case: CaseProgress
  /** `caseRoom:<id>`: the people who have the room of a case open. A subscriber is taken to be there. */
  readonly caseRoom: CaseRoom
  /** The list of recurring contests has changed. */
  readonly recurring: null
  /** A decision about grades was made. */
  readonly grades: null
  /** The class's settings, after each change from any screen. */
  readonly settings: Settings
  /** The class on the network, after each change. */
  readonly network: NetworkState
  /** The classes of the window; null: it shows one class alone. */
  readonly classes: Classes | null
  /** The export of this class that is being written, the oldest one if there are several; null: none is. */
  readonly exporting: ExportProgress | null
  /** Progress of `doctor.run`, 0 to 1; null: none is running. */
  readonly examination: number | null
  /** `play:<contest>`: a match that a person plays. A subscriber is taken to be that person. */
  readonly play: Play
  /** `live:<contest>/<match>`: a match that is being played, as spectators see it; null: it is not being played. */
  readonly live: LiveMatch | null
  /** `verification:<source name>`: progress of a verification, 0 to 1; null: none is running. */
  readonly verification: number | null
  /** `otherAnswer:<request>`: progress of `matches.otherAnswer`, 0 to 1; null: none is running. */
  readonly otherAnswer: number | null
  /** `rerun:<request>`: progress of `dossiers.rerun`, 0 to 1; null: none is running. */
  readonly rerun: number | null
  /** Progress of `histories.verifyAll`, 0 to 1; null: none is running. */
  readonly verifications: number | null
}

/**
 * The name of a topic: a plain one, or `contest:<id>`, `case:<id>`, `caseRoom:<id>`, `play:<id>`, `live:<id>/<match>`,
 * `verification:<source name>`, `otherAnswer:<request>` or `rerun:<request>`.
 */
export const topic = z
  .string()
  .regex(
    /^(status|agents|people|cases|(case|caseRoom):case-[1-9]\d{0,5}|recurring|grades|settings|network|classes|exporting|examination|verifications|(contest|play):[a-z0-9][a-z0-9-]{0,79}|live:[a-z0-9][a-z0-9-]{0,79}\/\d{1,9}|verification:[a-z0-9][a-z0-9-]{0,99}(\/\d{1,9})?|(otherAnswer|rerun):[0-9a-f-]{36})$/,
  )
