import { machineTime, timeOf } from './case-state.ts'
import type { CaseMoment, KeptCase } from './kept-case.ts'

/** The clocks by which cases go. */
export interface CaseClocks {
  /** ms since the epoch. People set this clock. */
  now(): number
  /** ms since some moment. Nobody sets this clock, and it does not stop while the program runs. */
  steady(): number
}

/** A moment in a case, at which the clock of the machine may have been set back. */
interface SeenMoment extends CaseMoment {
  /** ms that the record is ahead of the machine from now on; null: as its entries have it. */
  readonly ahead: number | null
}

/** ms by which the clock of the machine goes back before a record says so: clocks are set by seconds now and then. */
const SET_BACK = 60_000

/** The present moment: the record's last time, and the time that has passed since, are never undone by setting the clock back. */
export function momentIn(clocks: CaseClocks, { state, entered }: Pick<KeptCase, 'state' | 'entered'>): SeenMoment {
  const [now, steady] = [clocks.now(), clocks.steady()]
  const running = Date.parse(state.at) + (entered === null ? 0 : steady - entered)
  return running - machineTime(state, now) > SET_BACK
    ? { time: running, steady, ahead: running - now }
    : { time: timeOf(state, now), steady, ahead: null }
}
