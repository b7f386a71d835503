import { networkInterfaces } from 'node:os'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { NetworkInterface } from '../../contract/procedures/network.ts'
import type { Network } from '../../portal/network.ts'
import { openingOf } from '../network.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the class on the network. */
export function networkHandlers({ network }: Pick<Rooms, 'network'>): HandlersOf<'network'> {
  const needed = (): Network => {
    if (network !== undefined) return network
    throw new ExpectedError('usage', 'classroom-not-served', 'This classroom is not served: use "tartaglia serve".')
  }
  return {
    'network.state': async () => network?.state() ?? { isOpen: false, last: null },
    'network.interfaces': async () => interfacesOf(),
    async 'network.open'(place) {
      const opening = openingOf(place)
      if (opening === null) throw new Error('A place without a host.')
      return needed().open(opening)
    },
    'network.close': () => needed().close(),
  }
}

/** The addresses of this machine that others can reach, those of version 4 first. */
export function interfacesOf(all = networkInterfaces()): readonly NetworkInterface[] {
  const found = Object.entries(all).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address, family }) => ({ name, host: address, family })),
  )
  return found.toSorted((a, b) => a.family.localeCompare(b.family)).map(({ name, host }) => ({ name, host }))
}
