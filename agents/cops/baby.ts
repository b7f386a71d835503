import type { Skeleton } from './knowledge/town.ts'

interface World {
  readonly world: number
  readonly players: readonly { readonly bot: string; readonly loc: string; readonly ptype: string }[]
}

/** Goes from corner to corner without looking where the cops are. */
function robber({ name: me, edges }: Skeleton) {
  return {
    move: ({ world, players }: World) => step(edges, players.find(({ bot }) => bot === me)!.loc, world),
  }
}

/** Goes from corner to corner on foot, and says nothing. */
function cop({ name: me, edges }: Skeleton) {
  return {
    move(_: string | null, { world, players }: World) {
      const own = players.find(({ bot }) => bot === me)!
      return { loc: step(edges, own.loc, world), ptype: own.ptype }
    },
  }
}

/** A corner at the other end of a street, another one in each world. */
function step(edges: Skeleton['edges'], here: string, world: number): string {
  const ends = edges.flatMap(({ from, to, type }) => {
    if (type === 'car') return []
    return from === here ? [to] : to === here ? [from] : []
  })
  return ends[(world * 7 + here.length) % ends.length] ?? here
}

export default { name: 'Baby', starts: 'cop-foot', robber, cop }
