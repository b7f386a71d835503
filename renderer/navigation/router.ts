import type { Component } from 'svelte'
import type { ProcedureName } from '../../main/contract/procedures/procedures.ts'

/** Names of the parameters in a pattern such as `/contests/:contest/matches/:match?at&seat`. */
type InPath<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? InPath<Head> | InPath<Tail>
  : P extends `:${infer Name}`
    ? Name
    : never
type InQuery<Q extends string> = Q extends `${infer Head}&${infer Tail}` ? Head | InQuery<Tail> : Q
/** A screen's props: each `:name` of its pattern, and the optional parameters after the `?`. */
export type ParametersOf<P extends string> = P extends `${infer Path}?${infer Query}`
  ? { [K in InPath<Path>]: string } & { [K in InQuery<Query>]?: string }
  : { [K in InPath<P>]: string }

export interface Route {
  readonly pattern: string
  /** Its section in the navigation. */
  readonly section: string
  title(parameters: Readonly<Record<string, string>>): string
  load(): Promise<{ default: Component<never> }>
  /** Fills the whole window, without navigation and status line. */
  readonly bare: boolean
  /** People without the right to call this do not find the screen; null: everybody finds it. */
  readonly needs: ProcedureName | null
}

/** A screen and its address pattern; the props of its component must match the pattern. */
export function route<const P extends string>(
  pattern: P,
  section: string,
  title: string | ((parameters: ParametersOf<P>) => string),
  load: () => Promise<{ default: Component<ParametersOf<P>> }>,
  { bare = false, needs = null }: Partial<Pick<Route, 'bare' | 'needs'>> = {},
): Route {
  return {
    pattern,
    section,
    // `matchRoute` provides exactly the names of this pattern.
    title: (parameters) => (typeof title === 'string' ? title : title(parameters as ParametersOf<P>)),
    load,
    bare,
    needs,
  }
}

export interface RouteMatch {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string>>
}

/** The route for an address such as `#/agents/baby?at=3`, or null. The first match wins. */
export function matchRoute(hash: string, routes: readonly Route[]): RouteMatch | null {
  const [path, query] = split(hash.replace(/^#/, ''))
  const parts = path.split('/').map(decoded)
  for (const route of routes) {
    const parameters = match(parts, query, route.pattern)
    if (parameters !== null) return { route, parameters }
  }
  return null
}

function match(parts: readonly (string | null)[], query: string, pattern: string): Record<string, string> | null {
  const [path, names] = split(pattern)
  const wanted = path.split('/')
  if (wanted.length !== parts.length) return null
  const found: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = parts[i] ?? null
    if (value === null) return null
    if (!part.startsWith(':')) {
      if (part !== value) return null
    } else if (value === '') return null
    else found[part.slice(1)] = value
  }
  const given = new URLSearchParams(query)
  for (const name of names.split('&')) {
    const value = given.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

function split(address: string): [string, string] {
  const at = address.indexOf('?')
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)]
}

/** null: invalid percent-encoding. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
