import type { Skeleton } from './messages.ts'

/** A world skeleton in its lines; reading it gives an equal one. */
export function printSkeleton({ name, robber, cops, nodes, edges }: Skeleton): string {
  const lines = [
    'wsk\\',
    `name: ${name}`,
    `robber: ${robber}`,
    ...cops.map((cop) => `cop: ${cop}`),
    'nod\\',
    ...nodes.map(({ loc, tag, x, y }) => `nod: ${loc} ${tag} ${x} ${y}`),
    'nod/',
    'edg\\',
    ...edges.map(({ from, to, type }) => `edg: ${from} ${to} ${type}`),
    'edg/',
    'wsk/',
  ]
  return `${lines.join('\n')}\n`
}
