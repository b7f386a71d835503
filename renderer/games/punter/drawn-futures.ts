import type { Layout } from './layout.ts'
import type { DrawnFuture } from './map-painter.ts'
import type { View } from './rules.ts'

/** The futures that are known, placed on the map. */
export function drawnFutures(
  layout: Layout,
  punters: readonly Pick<View['punters'][number], 'futures'>[],
): readonly DrawnFuture[] {
  return punters.flatMap((punter, seat) =>
    (punter.futures ?? []).flatMap(({ source, target, kept }): readonly DrawnFuture[] => {
      const [mine, to] = [layout.places.get(source), layout.places.get(target)]
      return mine === undefined || to === undefined ? [] : [{ seat, mine, target: to, kept }]
    }),
  )
}
