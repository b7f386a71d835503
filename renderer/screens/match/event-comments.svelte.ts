import type { ListedComment, NewComment } from '../../../main/contract/histories/comments.ts'
import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { may } from '../../caller.svelte.ts'
import { call } from '../../connection/client.ts'
import { asFailure, resource } from '../../connection/resource.svelte.ts'
import type { OpenMatch } from '../../games/game.ts'

/** A comment and its row in the event list. */
export interface PlacedComment {
  readonly comment: ListedComment
  readonly row: number
}

/** The comments on a match. A viewer who watches as a seat or the panel sees those on events that it knows by then. */
export interface EventComments {
  readonly failure: Error | null
  /** Why the last change was refused; '' if it was not. */
  readonly problem: string
  /** In the order of the events, as far as they have been read. */
  shown(match: OpenMatch, position: number): readonly PlacedComment[]
  /** The number of comments by row. */
  rows(match: OpenMatch, position: number): ReadonlyMap<number, number>
  /** Returns true if it was written; otherwise `problem` says why it was not. */
  write(comment: NewComment): Promise<boolean>
  remove(id: string): Promise<void>
}

/**
 * Loads the comments once the match `isOpen`: one that is not there has none. Call only during component initialization.
 */
export function openComments(source: () => MatchSource, isOpen: () => boolean): EventComments {
  const loaded = resource(() => (isOpen() ? call('histories.comments', { source: source() }) : Promise.resolve([])))

  function shown(match: OpenMatch, position: number): readonly PlacedComment[] {
    const { rows, outline, folded, viewer } = match
    return (loaded.value ?? []).flatMap((comment) => {
      const { event, line } = comment
      if (event >= folded) return []
      if (viewer !== 'public' && (event >= position || outline.hidden(event))) return []
      return [{ comment, row: rows.first(event) + Math.min(line, outline.lines(event) - 1) }]
    })
  }
  let problem = $state('')
  async function change(answer: Promise<readonly ListedComment[]>): Promise<boolean> {
    problem = ''
    try {
      loaded.set(await answer)
      return true
    } catch (reason) {
      problem = asFailure(reason).message
      return false
    }
  }

  return {
    get failure() {
      return loaded.failure
    },
    get problem() {
      return problem
    },
    shown,
    rows(match, position) {
      const counts = new Map<number, number>()
      for (const { row } of shown(match, position)) counts.set(row, (counts.get(row) ?? 0) + 1)
      return counts
    },
    write: (comment) => change(call('histories.comment', { source: source(), comment })),
    async remove(id) {
      if (may('histories.deleteComment')) await change(call('histories.deleteComment', { source: source(), id }))
    },
  }
}
