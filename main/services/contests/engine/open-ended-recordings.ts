import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEndedContest, type AddedMatch, type OpenEndedContest } from './open-ended-contest.ts'
import { createNoticeLimit } from '../../../arenas/rate-limit.ts'
import type { FinishedMatch } from '../../../contract/contests/finished-match.ts'
import type { GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Limits } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { hashOf } from '../../../histories/canonical.ts'
import { openKeys } from '../../../histories/key-files.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import { openSegments, type SegmentWriter } from '../../../histories/segments/writer.ts'
import { recordingsFolder } from '../../machine/data-folder.ts'
import { startWorker } from '../../machine/workers.ts'

/**
 * The limits of the recordings of a lobby: the number of recordings that are kept, newest first, and the size of each.
 */
export interface RecordingBounds {
  readonly recordings: number
  /** When a recording reaches one of these limits it is closed and the next one begins. */
  readonly matches: number
  readonly bytes: number
}

export const defaultBounds: RecordingBounds = { recordings: 8, matches: 5_000, bytes: 16 * 1024 * 1024 }

export interface RecordingsOptions {
  readonly title: string
  /** The name of its recordings; each adds a number. */
  readonly name: string
  readonly game: GameId
  readonly config: Json
  readonly limits: Limits
  /** The maximum number of matches at a time. */
  readonly lanes: number
  /**
   * A data folder, which this process has locked: its key signs, and the recordings are in its folder `arenas`. null:
   * matches are not recorded.
   */
  readonly data: string | null
  readonly bounds?: RecordingBounds
  /** Called for matches that do not count and for recordings that end early. */
  onUnexpected(error: unknown, doing: string): void
}

/** The matches of a lobby, which are played and recorded as they come, in a sequence of open-ended contests. */
export interface Recordings {
  /** Like `OpenEndedContest`; rejects with MachineError if nothing can be recorded. */
  play(match: AddedMatch): Promise<FinishedMatch | null>
  /** Stops running matches. Resolves when all finished matches are on disk. */
  close(): Promise<void>
}

/** One recording while it is open. `stop`: its running matches then do not count. */
interface Recording {
  readonly contest: OpenEndedContest
  readonly stop: AbortController
}

export function openRecordings(options: RecordingsOptions): Recordings {
  const { recordings: recordingsMax, matches: matchesMax, bytes: bytesMax } = options.bounds ?? defaultBounds
  const stop = new AbortController()
  /** Full recordings whose last matches are still running, oldest first. Each has a worker. */
  const ending = new Map<Recording, Promise<void>>()
  // A worker that dies takes all of its matches with it.
  const voids = createNoticeLimit((text) =>
    options.onUnexpected(new Error(text), `A match of ${options.title}, which does not count`),
  )
  let current: Promise<Recording> | null = null

  const end = (recording: Recording): void => {
    // Matches may idle for hours. No more recordings are open than are kept: the matches of the oldest one do not count.
    const [oldest] = ending.keys()
    if (ending.size >= recordingsMax - 1) oldest?.stop.abort()
    const ended = recording.contest
      .finish()
      .catch((error: unknown) => options.onUnexpected(error, `A recording of ${options.title}`))
    ending.set(recording, ended)
    void ended.then(() => ending.delete(recording))
  }
  const begun = async (): Promise<Recording> => {
    const { setup, writer } = await beginRecording(options)
    const own = new AbortController()
    const contest = openEndedContest({
      setup,
      launch: startWorker,
      writer,
      signal: AbortSignal.any([stop.signal, own.signal]),
      onVoid: (reason) => voids.notice(options.title, reason),
    })
    return { contest, stop: own }
  }
  const forget = (recording: Promise<Recording>): void => {
    if (current !== recording) return
    current = null
    recording.then(end, () => undefined)
  }

  return {
    async play(match) {
      if (stop.signal.aborted) return null
      const playing = (current ??= begun())
      try {
        const { contest } = await playing
        const finished = contest.play(match)
        const { matches, bytes } = contest.size
        if (matches >= matchesMax || bytes >= bytesMax) forget(playing)
        return await finished
      } catch (error) {
        // The next recording starts with the disk as it is then.
        forget(playing)
        throw error
      }
    },
    async close() {
      stop.abort()
      voids.close()
      const last = current
      if (last !== null) {
        forget(last)
        await last.catch(() => undefined)
      }
      await Promise.all(ending.values())
    },
  }
}

async function beginRecording(options: RecordingsOptions) {
  const { title, game, config, limits, lanes, data } = options
  const configHash = hashOf(config)
  const published: Json = { title, game, config: configHash, format: { type: 'open-ended' }, limits: { ...limits } }
  const contest = data === null ? `${options.name}-1` : nextName(options, recordingsFolder(data))
  const setup = {
    contest,
    contestHash: hashOf(published),
    configHash,
    game,
    config,
    limits,
    // Only agents that connect play here.
    isolation: 'none',
    clock: 'real',
    seeds: 'hmac',
    lanes,
  } as const
  if (data === null) return { setup, writer: null }
  const dir = join(recordingsFolder(data), contest)
  const key = openKeys(join(data, 'keys'))
  const opened = await openSegments({ dir, contest, key, blobs: [published, config] })
  if (!opened.ok) throw new ExpectedError('verdict', 'history-damaged', opened.damage.message)
  const writer: SegmentWriter = opened.writer
  return { setup, writer }
}

/** The name of a new recording. Removes the oldest recordings if there are too many. Throws MachineError. */
function nextName({ name, bounds = defaultBounds }: RecordingsOptions, folder: string): string {
  try {
    const numbers = existsSync(folder) ? readdirSync(folder).flatMap((each) => numberIn(each, name)) : []
    numbers.sort((a, b) => b - a)
    for (const old of numbers.slice(bounds.recordings - 1))
      rmSync(join(folder, `${name}-${old}`), { recursive: true, force: true })
    return `${name}-${(numbers[0] ?? 0) + 1}`
  } catch (error) {
    throw machineErrorFrom(error, 'make room for histories in', folder)
  }
}

function numberIn(file: string, name: string): readonly number[] {
  const number = file.startsWith(`${name}-`) ? file.slice(name.length + 1) : ''
  return /^[1-9]\d{0,8}$/.test(number) ? [Number(number)] : []
}
