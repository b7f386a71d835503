/** WebSocket close codes (RFC 6455, section 7.4.1). */
export const closeCodes = {
  done: 1000,
  goingAway: 1001,
  data: 1003,
  /** Never sent: there was no goodbye. */
  lost: 1006,
  policy: 1008,
  unexpected: 1011,
  full: 1013,
} as const

/** The farewell to clients when an arena ends. */
export const closingText = 'The arena is closing.'
