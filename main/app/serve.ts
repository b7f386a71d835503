import { summedFigures, type ClassFigures } from '../operator/class-metrics.ts'
import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { ContestId } from '../contract/ids.ts'
import { hostCaller } from '../contract/people/caller.ts'
import { openPortal, type Portal } from '../portal/portal.ts'
import { tokenMinutes } from '../portal/sessions.ts'
import type { NetworkState } from '../contract/procedures/network.ts'
import type { Opening } from '../portal/network.ts'
import type { WallClock } from '../services/contests/recurring/wall-clock.ts'
import { openAddressSocket } from './address-socket.ts'
import { openClassroom, type ClassroomService } from './classroom-service.ts'
import type { ClassShelf } from './class-shelf.ts'
import { createServedClasses } from './served-classes.ts'
import { classNetwork } from './network.ts'
import { readFirstScreen } from './read-first-screen.ts'
import { resources } from '../services/machine/resources.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContestDetail, ContestState } from '../contract/procedures/procedures.ts'
import { sampleContest } from '../services/contests/descriptions/sample-contest.ts'

export interface ServeOptions {
  readonly data: string
  /** 0: any free port. null: the port of the last start, so that open pages find the classroom again; any if it is in use. */
  readonly port: number | null
  /** How the class is opened to the network, too; null: it is not, until somebody does so in the window. */
  readonly opening?: Opening | null
  /** True: the class is open to look at, on this machine alone; nothing is written in its folder. Default: false. */
  readonly isReadOnly?: boolean
  /** The clock of deadlines, sessions and recurring contests. Default: the system's. */
  readonly clock?: WallClock
  /** Called on unexpected errors; `doing`: the activity. The classroom continues. */
  onUnexpected(error: unknown, doing: string): void
  /** Called with a sentence about each recurring contest that begins, and each that does not. */
  onRecurring?(sentence: string): void
  /** Called with a sentence when backups begin to fail, and when one that was tested cannot be used. */
  onBackup?(sentence: string): void
  /** Called with sentences about what was recovered and lost, if the class had to be rebuilt. */
  onRecovery?(sentence: string): void
  /** Called when a contest that was started changes, with its state. */
  onContest?(contest: ContestId, state: ContestState): void
  /** The classes of the program, if another one was served before this one. Default: those that are opened from this one. */
  readonly shelf?: ClassShelf
}

/** A classroom that is served to browsers on this machine. */
export interface ServedClassroom {
  readonly service: ClassroomService
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** An address that admits one browser once, within `addressMinutes`. */
  newAddress(): string
  readonly addressMinutes: number
  /** The class on the network. */
  network(): NetworkState
  /** The figures of the class, with those that were opened from it. */
  figures(): Promise<ClassFigures>
  /** Stops running contests so that they can be resumed, and releases the port and the data folder. */
  close(): Promise<void>
}

/**
 * Opens a classroom and serves it on loopback. Throws ExpectedError or MachineError if the folder or the port is not
 * available.
 */
export async function serveClassroom(options: ServeOptions): Promise<ServedClassroom> {
  const { data, port, opening = null, isReadOnly = false, clock, onUnexpected } = options
  let portal: Portal | null = null
  const newAddress = (): string => {
    if (portal === null) throw new ExpectedError('conflict', 'classroom-not-served', 'The classroom is not open yet.')
    return portal.address()
  }
  const others =
    options.shelf === undefined && !isReadOnly
      ? createServedClasses({ data, newAddress }, (folder, shelf) =>
          serveClassroom({ data: folder, port: null, shelf, onUnexpected, ...reports(options) }),
        )
      : null
  const classes = options.shelf ?? others?.shelf
  const network = classNetwork(data, onUnexpected)
  let isVisited = false
  const service = await openClassroom({
    data,
    isReadOnly,
    onFatal: (error) => onUnexpected(error, 'The classroom'),
    invite: () => ({ address: newAddress(), minutes: tokenMinutes }),
    ...(isReadOnly ? {} : { network }),
    ...(classes && { classes }),
    ...(clock && { clock }),
    ...(options.onContest && { onContest: options.onContest }),
    ...reports(options),
  })
  try {
    const dispatcher = createDispatcher(service, onUnexpected)
    network.serve({ dispatcher, accounts: service.accounts })
    const onVisit = (): void => {
      if (!isVisited) readFirstScreen(service)
      isVisited = true
    }
    const open = (at: number): Promise<Portal> =>
      openPortal({ dispatcher, accounts: service.accounts, files: resources.renderer, port: at, onUnexpected, onVisit })
    // The class may be open at its own port.
    const kept = port ?? (isReadOnly ? 0 : lastPort(data))
    const opened = await open(kept).catch((error: unknown) => {
      if (port !== null || kept === 0 || !(error instanceof ExpectedError)) throw error
      return open(0)
    })
    portal = opened
    if (!isReadOnly) keepPort(data, opened.origin)
    if (opening !== null) {
      await network.open(opening).catch(async (error: unknown) => {
        await opened.close()
        throw error
      })
    }
    const listening = isReadOnly ? Promise.resolve(null) : openAddressSocket(data, () => opened.address())
    const socket = await listening.catch((error: unknown) => {
      onUnexpected(error, 'The socket of "tartaglia address"')
      return null
    })
    return {
      service,
      origin: opened.origin,
      newAddress,
      addressMinutes: tokenMinutes,
      network: () => network.state(),
      figures: async () => summedFigures([await service.figures(), ...((await others?.figures()) ?? [])]),
      async close() {
        // Each class may need the time that the system gives to the program.
        await Promise.all([others?.close(), service.landHandIns()])
        await socket?.close()
        await opened.close()
        await service.close()
      },
    }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** The calls with sentences of a class, which those that are opened from it take over. */
function reports({
  onRecurring,
  onRecovery,
  onBackup,
}: ServeOptions): Pick<ServeOptions, 'onRecurring' | 'onRecovery' | 'onBackup'> {
  return { ...(onRecurring && { onRecurring }), ...(onRecovery && { onRecovery }), ...(onBackup && { onBackup }) }
}

const FILE = 'port'

/** The port that a classroom was served at the last time; 0: none is known. */
export function lastPort(data: string): number {
  try {
    const text = readFileSync(join(data, FILE), 'latin1').trim()
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return port > 65_535 ? 0 : port
  } catch {
    return 0
  }
}

/** Keeps the port of an address for the next time. A classroom works without it, so nothing is said where that fails. */
export function keepPort(data: string, origin: string): void {
  try {
    writeFileSync(join(data, FILE), `${new URL(origin).port}\n`, { mode: 0o600 })
  } catch {
    // The next time there is another one.
  }
}

/**
 * Plays the sample contest of an open classroom to its end or until `signal` aborts; does not repeat one that has
 * ended. null: the class has no sample contest. Throws ExpectedError if it cannot be started.
 */
export async function playSample(
  { handlers, on }: Pick<ClassroomService, 'handlers' | 'on'>,
  signal: AbortSignal,
  onProgress: (progress: ContestDetail['summary']['progress']) => void,
): Promise<ContestDetail | null> {
  const { title } = sampleContest()
  const { items } = await handlers['contests.list']({ offset: 0, limit: 100, search: title }, hostCaller)
  const sample = items.find((each) => each.title === title)
  if (sample === undefined) return null
  const { contest } = sample
  const stateNow = async (): Promise<ContestState> =>
    (await handlers['contests.get']({ contest }, hostCaller)).summary.state
  if (sample.state === 'open') {
    await handlers['contests.start']({ contest }, hostCaller).catch(async (error: unknown) => {
      // At the first start of a class the service starts the contest itself.
      if ((await stateNow()) === 'open') throw error
    })
  }
  const ended = Promise.withResolvers<undefined>()
  const end = on(`contest:${contest}`, (value) => {
    const { summary } = value as ContestDetail // the value of this topic; see Topics
    onProgress(summary.progress)
    if (summary.state !== 'running' && summary.state !== 'queued') ended.resolve(undefined)
  })
  signal.addEventListener('abort', () => ended.resolve(undefined))
  if (signal.aborted) ended.resolve(undefined)
  await ended.promise
  end()
  return handlers['contests.get']({ contest }, hostCaller)
}
