import { untrack } from 'svelte'
import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { link } from '../../connection/link.svelte.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import type { OpenMatch, ScenePart } from '../../games/game.ts'
import { openMatch } from './open-match.svelte.ts'

/** A match opened as one viewer sees it, and what it shows at the place of a screen. */
export interface WatchedMatch {
  /** null: it is being opened, or nobody watches. */
  readonly match: OpenMatch | null
  readonly scene: ScenePart['scene']
  /** The reason why it cannot be shown, or null. */
  readonly failure: Error | null
  /** Tries again. */
  open(): Promise<void>
}

/**
 * Opens a match as the viewer that an address names, anew when the viewer or the match changes. `as`: as in `openMatch`; null: nobody watches.
 * `position`: the place to show. Call only during component initialization.
 */
export function watchMatch(
  source: () => MatchSource,
  as: () => string | undefined | null,
  position: () => number,
): WatchedMatch {
  let match = $state.raw<OpenMatch | null>(null)
  let scene = $state.raw<ScenePart['scene']>(null)
  let failure = $state.raw<Error | null>(null)
  /** A request is out of date once the match is watched as another viewer. */
  let opening = 0

  async function open(): Promise<void> {
    const mine = ++opening
    const wanted = (): boolean => mine === opening
    const viewer = untrack(as)
    failure = null
    if (viewer === null) {
      match = null
      return
    }
    try {
      const opened = await openMatch(untrack(source), viewer, wanted)
      if (!wanted()) return
      scene = null
      match = opened
    } catch (reason) {
      if (wanted()) failure = asFailure(reason)
    }
  }
  $effect(() => () => void opening++)
  $effect(() => {
    void as()
    void source()
    untrack(() => void open())
  })
  $effect(() => {
    if (link.epoch > 0 && match === null) void open()
  })
  $effect(() => {
    const at = position()
    const shown = match
    shown?.viewAt(at).then(
      (view) => {
        if (at === position() && shown === match) scene = { view, position: at }
      },
      (reason: unknown) => {
        if (shown === match) failure = asFailure(reason)
      },
    )
  })

  return {
    get match() {
      return match
    },
    get scene() {
      return scene
    },
    get failure() {
      return failure
    },
    open,
  }
}
