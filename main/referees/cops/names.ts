import { TOKEN_MAX } from '../../../grammars/cops/index.ts'
import type { SeatId } from '../../contract/ids.ts'

/** The name of a brain that has not registered. */
export const unregisteredName = (seat: SeatId): string => (seat === 0 ? 'Robber' : `Cop${seat}`)

/**
 * The names that count: the one that a brain asked for, unless another player has it; then with the number of its seat, and if that is
 * taken, too, with more such numbers. Whoever has not registered gets a name of its role. By seat.
 */
export function namesOf(wanted: readonly (string | null)[]): readonly string[] {
  const taken = new Set<string>()
  return wanted.map((name, seat) => {
    const asked = name ?? unregisteredName(seat)
    let given = asked
    for (let end = String(seat); taken.has(given); end += `-${seat}`)
      given = `${asked.slice(0, TOKEN_MAX - end.length)}${end}`
    taken.add(given)
    return given
  })
}
