import type { Outcome } from '../../contract/game/outcome.ts'

/** Points by place, as in the contest of 2017 (1.0 section 6, 1.2): n less the number of punters that are better. */
export const rankPoints = ({ places }: Outcome): readonly number[] => places.map(({ rank }) => places.length + 1 - rank)
