/** The average rating of a contest's entrants. */
export const AVERAGE_RATING = 1_500

/** Points of a rating for a factor e in the odds of winning: 400 points for a factor 10, as in chess. */
export const POINTS_PER_LOG_ODDS = 400 / Math.LN10
