import type { GameContests } from '../../contract/contests/contest-format.ts'

/** The counts of contests of Haggling. */
export const contests: GameContests = {
  counts: [{ id: 'agreements', label: 'Agreed', per: 'Per agreement', of: ({ agreed }) => (agreed === true ? 1 : 0) }],
}
