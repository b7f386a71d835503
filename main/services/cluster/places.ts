import type { WorkerProcess } from '../machine/worker-process.ts'
import type { SeatId, Sha256 } from '../../contract/ids.ts'
import { isRemote, type AgentCode, type ContestSetup, type MatchJob } from '../../worker/protocol.ts'
import { workersAtATime } from '../machine/workers.ts'

/** The setup and agents that a match needs besides its job. */
export interface Supply {
  /** Equal for equal setups. */
  readonly id: string
  readonly setup: ContestSetup
  readonly codes: ReadonlyMap<Sha256, AgentCode>
}

/** The end of a run: its lines, or the reason why it was interrupted. */
export interface PlayedRun {
  readonly run: number
  readonly lines: string | null
  readonly reason?: string
  readonly seat?: SeatId
}

/** Match workers of this machine, each of which plays one match at a time. */
export interface Places {
  /** Plays a match on a free worker; waits for one if there is none. Never rejects. */
  play(supply: Supply, job: MatchJob): Promise<PlayedRun>
  /** Kills all workers. */
  close(): void
}

interface Place {
  readonly id: string
  readonly process: WorkerProcess
  readonly sent: Set<Sha256>
  /** Called with the end of the current run. */
  done: ((played: PlayedRun) => void) | null
  lines: string
  run: number
}

export function createPlaces(count: number): Places {
  const launch = workersAtATime(count)
  const idle: Place[] = []
  const all = new Set<Place>()
  let free = count
  const waiting: (() => void)[] = []
  let closed = false

  const start = ({ id, setup }: Supply): Place => {
    const process = launch()
    const place: Place = { id, process, sent: new Set(), done: null, lines: '', run: 0 }
    all.add(place)
    process.onReport((report) => {
      if (report.type === 'ready' || report.run !== place.run) return
      const { run } = report
      if (report.type === 'lines') place.lines += report.text
      else if (report.type === 'finished' || report.type === 'void') place.done?.({ run, lines: place.lines })
      else if (report.type === 'interrupted') {
        const seat = report.seat === undefined ? {} : { seat: report.seat }
        place.done?.({ run, lines: null, reason: report.reason.slice(0, 4_000), ...seat })
      }
    })
    process.onExit((how) => {
      all.delete(place)
      if (idle.includes(place)) idle.splice(idle.indexOf(place), 1)
      place.done?.({ run: place.run, lines: null, reason: `A match worker ended (${how}).` })
    })
    process.send({ type: 'contest', setup })
    return place
  }

  /** A worker with this setup; one with another makes room. */
  const takePlace = (supply: Supply): Place => {
    const fitting = idle.findIndex(({ id }) => id === supply.id)
    if (fitting >= 0) return idle.splice(fitting, 1)[0]!
    if (all.size >= count) idle.shift()?.process.kill()
    return start(supply)
  }

  return {
    async play(supply, job) {
      if (!closed && free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else if (!closed) free -= 1
      // It may have been closed meanwhile: nobody would end a process that starts now.
      if (closed) {
        waiting.shift()?.()
        return { run: job.run, lines: null, reason: 'The worker leaves the cluster.' }
      }
      const place = takePlace(supply)
      const played = await new Promise<PlayedRun>((resolve) => {
        Object.assign(place, { done: resolve, lines: '', run: job.run })
        if (closed) return resolve({ run: job.run, lines: null, reason: 'The worker leaves the cluster.' })
        for (const [agent, code] of supply.codes) {
          if (place.sent.has(agent) || isRemote(code)) continue
          place.sent.add(agent)
          place.process.send({ type: 'agent', agent, code })
        }
        place.process.send({ type: 'play', job })
      })
      place.done = null
      if (all.has(place)) idle.push(place)
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
      return played
    },
    close() {
      closed = true
      for (const { process } of all) process.kill()
    },
  }
}
