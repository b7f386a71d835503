import type { Json } from '../../contract/json.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import {
  LIVE_EVENTS,
  liveTopic,
  type LiveFacts,
  type LiveMatch,
  type PlayingMatch,
  type RunInPlay,
  type RunsInPlay,
} from '../../contract/game/live-match.ts'
import { DETAIL_MAX } from '../../contract/procedures/procedures.ts'
import { games } from '../../referees/games.ts'

/**
 * The matches of a class that are being played, and those who watch them. A worker shows a match only while somebody watches
 * it, and what it shows is what every spectator may know: states, seeds and secret inputs never leave the worker.
 */
export interface LiveMatches {
  /** Follows the matches of a contest that is about to run. */
  runsInPlay(contest: ContestId): RunsInPlay
  /** In the order of their numbers, `DETAIL_MAX` at most. */
  playing(contest: ContestId): readonly PlayingMatch[]
  /** These return null if the match is not being played, or has just begun. */
  facts(contest: ContestId, match: MatchNumber): LiveFacts | null
  get(contest: ContestId, match: MatchNumber): LiveMatch | null
  /** Registers a spectator until the returned function is called; the match may begin later, or not exist. */
  attend(contest: ContestId, match: MatchNumber): () => void
  close(): void
}

export interface LiveMatchesOptions {
  /** The value of a topic `live:` has changed. */
  onChange(topic: string): void
  /** `playing` of a contest has changed. */
  onPlaying(contest: ContestId): void
}

/** ms for which a match is shown on after its last spectator has gone, so that many who come and go cost nothing. */
const LINGER_MS = 2_000

interface Playing extends RunInPlay {
  watch(wanted: boolean): void
  shown: LiveMatch
  /** undefined: nobody has asked for it. */
  ground?: Json
}

interface Watchers {
  count: number
  /** Set while nobody is there. */
  leaving: NodeJS.Timeout | undefined
}

export function createLiveMatches({ onChange, onPlaying }: LiveMatchesOptions): LiveMatches {
  /** By topic. */
  const playing = new Map<string, Playing>()
  const watchers = new Map<string, Watchers>()

  const unshown = (run: number): LiveMatch => ({ run, events: 0, recent: [], scene: null })

  const gone = (topic: string): void => {
    watchers.delete(topic)
    const match = playing.get(topic)
    if (match === undefined) return
    match.watch(false)
    match.shown = unshown(match.run)
  }

  const namesOf = ({ game, config, entrants }: RunInPlay): readonly string[] => {
    const seats = games.get(game)?.seats(config, entrants.length) ?? []
    return typeof seats === 'string' ? [] : seats.map(({ entrant }) => entrants[entrant]!)
  }

  return {
    runsInPlay(contest) {
      const topics = new Map<number, string>()
      return {
        begun(played, watch) {
          const topic = liveTopic(contest, played.match)
          topics.set(played.run, topic)
          playing.set(topic, { ...played, watch, shown: unshown(played.run) })
          if (watchers.has(topic)) watch(true)
          onChange(topic)
          onPlaying(contest)
        },
        frame(run, { events, recent, scene }) {
          const topic = topics.get(run) ?? ''
          const match = playing.get(topic)
          // A frame may be on its way when the last spectator goes.
          if (match?.run !== run || !watchers.has(topic)) return
          match.shown = { run, events, recent: [...match.shown.recent, ...recent].slice(-LIVE_EVENTS), scene }
          onChange(topic)
        },
        ended(run) {
          const topic = topics.get(run) ?? ''
          topics.delete(run)
          if (playing.get(topic)?.run === run) playing.delete(topic)
          onChange(topic)
          onPlaying(contest)
        },
      }
    },

    playing(contest) {
      const own = [...playing].filter(([topic, { match }]) => topic === liveTopic(contest, match))
      return own
        .map(([, played]) => ({ match: played.match, names: namesOf(played) }))
        .sort((a, b) => a.match - b.match)
        .slice(0, DETAIL_MAX)
    },

    facts(contest, match) {
      const played = playing.get(liveTopic(contest, match))
      if (played === undefined) return null
      const { game, config } = played
      played.ground ??= games.get(game)?.ground(config) ?? null
      return { game, names: namesOf(played), ground: played.ground }
    },

    get: (contest, match) => playing.get(liveTopic(contest, match))?.shown ?? null,

    attend(contest, match) {
      const topic = liveTopic(contest, match)
      const here = watchers.get(topic)
      if (here === undefined) {
        watchers.set(topic, { count: 1, leaving: undefined })
        playing.get(topic)?.watch(true)
      } else {
        clearTimeout(here.leaving)
        here.count += 1
      }
      let stays = true
      return () => {
        const left = watchers.get(topic)
        if (!stays || left === undefined) return
        stays = false
        left.count -= 1
        if (left.count === 0) left.leaving = setTimeout(() => gone(topic), LINGER_MS)
      }
    },

    close() {
      for (const { leaving } of watchers.values()) clearTimeout(leaving)
      watchers.clear()
    },
  }
}
