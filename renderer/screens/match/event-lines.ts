import type { Digest, Story } from '../../games/game.ts'

/** All sentences of one event, exactly. */
export function linesOf<D extends Digest>(
  story: Pick<Story<unknown, D>, 'lines' | 'line'>,
  digest: D,
): readonly string[] {
  return Array.from({ length: story.lines(digest) }, (_, part) => story.line(digest, part, 'exact').text)
}
