import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GameId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Limits } from '../../../main/contract/limits.ts'
import { failureOf } from '../../../main/services/contests/command/check-agent.ts'
import { playApart } from '../../../main/services/contests/command/play-match.ts'
import { seatReportsJob, type SeatReport } from '../../../main/services/contests/command/seat-reports.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { Mistake } from './mistake.ts'

/** All that a student reads of a trial match. */
export interface Report {
  readonly kind: Mistake['kind']
  /** The verdict; null: it is fit to play. */
  readonly verdict: string | null
  /** The verdict, all faults and all that it printed. */
  readonly text: string
}

/** The reports of mistaken agents, by their names, from a contest in which each plays one match against the baby. */
export async function reportsOf(
  game: GameId,
  mistakes: readonly Mistake[],
  { config, limits }: { readonly config: Json; readonly limits?: Partial<Limits> },
): Promise<ReadonlyMap<string, Report>> {
  const folder = temporaryFolder('mistakes')
  chmodSync(folder, 0o755)
  const others = inSeats(mistakes).map((mistake, at) => {
    if (mistake === null) return { name: `filler-${at}`, agent: 'baby' }
    const home = join(folder, String(at))
    mkdirSync(home)
    const agent = join(home, mistake.file)
    writeFileSync(agent, mistake.content)
    return { name: `mistaken-${at}`, agent, mistake }
  })
  const entrants = [{ name: 'baby', agent: 'baby' }, ...others.map(({ name, agent }) => ({ name, agent }))]
  const seats = await playApart(
    {
      what: 'The contest of mistakes',
      game,
      format: { type: 'gauntlet', challengers: 1, repeats: 1, seats: 2 },
      entrants,
      config,
      data: join(folder, 'data'),
      seed: 'mistakes',
      ...(limits && { limits }),
      consoles: 'all',
      signal: new AbortController().signal,
      onNotice: () => undefined,
    },
    ({ histories }) =>
      Promise.all(
        histories.map((each) =>
          'file' in each ? seatReportsJob.read(each.file, () => undefined) : Promise.resolve([]),
        ),
      ),
  )
  const byName = Map.groupBy(seats.flat(), ({ agent }) => agent)
  const reported = others.flatMap(({ name, ...other }) =>
    'mistake' in other ? [[other.mistake.name, reportOf(byName.get(name) ?? [])] as const] : [],
  )
  return new Map(reported)
}

/** In a gauntlet entrants meet the challenger in turn in the second seat and in the first; null: a place that nobody fits. */
function inSeats(mistakes: readonly Mistake[]): readonly (Mistake | null)[] {
  const left = [...mistakes]
  const seated: (Mistake | null)[] = []
  while (left.length > 0) {
    const seat = seated.length % 2 === 0 ? 1 : 0
    const at = left.findIndex((each) => each.seat === seat || each.seat === undefined)
    seated.push(at === -1 ? null : left.splice(at, 1)[0]!)
  }
  return seated
}

/** The report of an agent; if it plays several seats, that of the first that failed. */
function reportOf(seats: readonly SeatReport[]): Report {
  const seat = seats.find((each) => failureOf(each) !== null) ?? seats[0]
  if (seat === undefined) throw new Error('it played no match')
  const verdict = failureOf(seat)
  const [fault] = seat.faults
  const text = [verdict ?? '', ...seat.faults.map((each) => each.text), ...seat.console].join('\n')
  return { kind: fault?.kind ?? (seat.removed ? 'removed' : 'fine'), verdict, text }
}
