import { readChallenge, type Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchDetail, MatchEvent, MatchSource } from '../../../main/contract/procedures.ts'
import type { Series } from '../../charts/accounts.ts'
import { call } from '../../client.ts'
import { createFold } from './fold.ts'
import { foldAll } from './load.ts'
import { createPages } from './pages.ts'
import { createRows, type Rows } from './rows.ts'
import { createReader, rules, type Digest, type Origins, type View } from './specker.ts'

/** A mark on the timeline: what went wrong there. `position` is the one after the event. */
export interface Mark {
  readonly position: number
  readonly seat: number
  readonly kind: 'removed' | 'fault' | 'voided'
}

/** What everything on the screen reads; grows while the match is being folded, and tells so by `folded`. */
export interface Viewer {
  readonly detail: MatchDetail
  readonly names: readonly string[]
  readonly challenge: Challenge | null
  readonly challengeConfig: Json
  /** Positions that can be looked at: 0 to this. */
  readonly folded: number
  /** `folded` as it was when `epoch` last grew. */
  readonly reached: number
  /** A count that grows with `folded`, four times a second at most: for pictures of the whole match. */
  readonly epoch: number
  readonly broken: string | null
  readonly digests: readonly Digest[]
  readonly origins: Origins
  readonly rows: Rows
  readonly marks: readonly Mark[]
  /** Positions at which rounds begin. */
  readonly rounds: readonly number[]
  readonly series: Series
  /** The largest account so far, 10^-9 energy. */
  readonly most: number
  viewAt(position: number): Promise<View>
  read(from: number, to: number): Promise<readonly MatchEvent[]>
}

/** ms between two redrawings of what shows the whole match while it is being folded. */
const REDRAW = 250

/**
 * Opens a match: its beginning at once, the rest folded in the background for as long as `wanted` says so. Rejects where the
 * program cannot read it or its rules cannot start it.
 */
export async function openMatch(source: MatchSource, wanted: () => boolean): Promise<Viewer> {
  const detail = await call('matches.get', { source })
  const { config, seed, facts } = detail
  if (facts.game !== 'specker') throw new Error(`There is no viewer for the game ${facts.game} yet.`)
  const settings = config as { readonly init: number; readonly challenge: string; readonly challengeConfig: Json }
  const { reader, origins } = createReader()
  const fold = createFold(rules, { config, seed, seats: facts.seats }, reader)
  const pages = createPages((offset, limit) => call('matches.events', { source, offset, limit }))
  const rows = createRows()
  const marks: Mark[] = []
  const rounds: number[] = []

  let folded = $state(0)
  let reached = $state(0)
  let epoch = $state(0)
  let broken = $state<string | null>(null)
  let most = settings.init
  let drawn = -Infinity

  function takeOver(): void {
    const { digests } = fold
    rows.grow(digests)
    for (let index = folded; index < digests.length; index++) {
      const digest = digests[index]!
      most = Math.max(most, ...digest.accounts)
      if (digest.round !== (digests[index - 1]?.round ?? 0)) rounds.push(index)
      if (digest.kind === 'fault') marks.push({ position: index + 1, seat: digest.seat, kind: 'fault' })
      for (const { event } of digest.happenings) {
        if (event.type === 'removed' || event.type === 'voided') {
          marks.push({ position: index + 1, seat: event.seat, kind: event.type })
        }
      }
    }
    folded = digests.length
    broken = fold.broken
    const now = performance.now()
    if (now - drawn < REDRAW && folded < detail.events && broken === null) return
    drawn = now
    reached = folded
    epoch += 1
  }

  const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
  foldAll(fold, pages, detail.events, { now: () => performance.now(), breathe, wanted, progress: takeOver }).catch(
    (reason: unknown) => {
      broken = `The events could not be read: ${reason instanceof Error ? reason.message : String(reason)}`
    },
  )

  return {
    detail,
    names: facts.seats.map(({ name }) => name),
    challenge: readChallenge(settings.challenge).challenge,
    challengeConfig: settings.challengeConfig,
    digests: fold.digests,
    origins,
    rows,
    marks,
    rounds,
    series: {
      get length() {
        return fold.digests.length + 1
      },
      at: (position, seat) =>
        position === 0 ? settings.init : (fold.digests[position - 1]?.accounts[seat] ?? settings.init),
    },
    get folded() {
      return folded
    },
    get reached() {
      return reached
    },
    get epoch() {
      return epoch
    },
    get broken() {
      return broken
    },
    get most() {
      return most
    },
    // A public view of this game's rules is a View; only seats see turn messages.
    viewAt: (position) => fold.viewAt(position, pages.read) as Promise<View>,
    read: pages.read,
  }
}
