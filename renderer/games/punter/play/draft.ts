import type { PlayerView, Move } from '../../../../main/referees/punter/player-view.ts'
import type { Layout } from '../layout.ts'

/** A future, by the ids of a mine and a site. */
export interface Bet {
  readonly source: number
  readonly target: number
}

/** The ids of the sites that a person has chosen, in the order of the route; empty: none. */
export type Route = readonly number[]

/** Reads a route such as `3-4` or `3 4 7`; null: not a route. */
export function routeIn(text: string): Route | null {
  const words = text.split(/[\s,-]+/).filter((word) => word !== '')
  return words.every((word) => /^\d{1,9}$/.test(word)) && words.length !== 1 ? words.map(Number) : null
}

export const routeText = (route: Route): string => route.join('-')

/** A river alone, as a route. */
export function routeOf({ sites, rivers }: Layout, river: number): Route {
  const { source, target } = rivers[river]!
  return [sites[source]!.id, sites[target]!.id]
}

/**
 * The route with one more river: at its end, or at its beginning while it is a single river. Its last river is taken back; a river
 * that does not touch it begins a new route.
 */
export function extended(route: Route, [a, b]: Route): Route {
  if (a === undefined || b === undefined) return route
  const [end, before] = [route.at(-1), route.at(-2)]
  const isLast = (end === a && before === b) || (end === b && before === a)
  if (isLast) return route.length > 2 ? route.slice(0, -1) : []
  if (end === a) return [...route, b]
  if (end === b) return [...route, a]
  if (route.length === 2 && (route[0] === a || route[0] === b)) return extended([...route].reverse(), [a, b])
  return [a, b]
}

/** The rivers of a route that there are, by number. */
export function riversOf({ state: { course } }: Pick<PlayerView, 'state'>, route: Route): readonly number[] {
  return route.slice(1).flatMap((to, at) => course.river(route[at]!, to) ?? [])
}

/** The move that a route means: a claim, an option of a river that another has, or a splurge; null: no route is chosen. */
export function moveOf({ me, state }: Pick<PlayerView, 'me' | 'state'>, route: Route): Move | null {
  const [source, target] = route
  if (source === undefined || target === undefined) return null
  if (route.length > 2) return { splurge: { punter: me, route: [...route] } }
  const river = state.course.river(source, target)
  const owner = river === undefined ? -1 : state.owners[river]!
  const isOption = state.config.options && owner !== -1 && owner !== me
  return isOption ? { option: { punter: me, source, target } } : { claim: { punter: me, source, target } }
}

/** The label of the button that makes the move. */
export function moveLabel(move: Move): string {
  if ('claim' in move) return `Claim ${move.claim.source}-${move.claim.target}`
  if ('option' in move) return `Buy the option of ${move.option.source}-${move.option.target}`
  return 'splurge' in move ? `Splurge ${routeText(move.splurge.route)}` : 'Pass'
}
