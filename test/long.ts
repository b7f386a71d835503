/**
 * How often a test repeats itself: `short` under `npm test`, `long` under `npm run test:long`. The test runner of
 * `test:long` runs the files that import this one.
 */
export function repeats({ short, long }: { readonly short: number; readonly long: number }): number {
  return isLong ? long : short
}

/** True in `npm run test:long`. */
export const isLong = process.env['TARTAGLIA_LONG'] === '1'
