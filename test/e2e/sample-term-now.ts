/** The moment at which the sample term of the tests is looked at, a Monday of its sixth week: their pages show the same dates on each day. */
export const sampleTermNow = '2026-10-12T09:30:00.000Z'
