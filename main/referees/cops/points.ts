/** The unit of scores is a tenth of a point: a fifth of the banks' money is not always a whole number. */
export const POINT = 10

/** A score, or a sum of scores, in points. */
export const inPoints = (score: number): number => score / POINT
