import type { Json } from './json.ts'

/** T with readonly members and lists, at any depth. Any JSON is so already. */
export type ReadonlyParts<T> = [Json] extends [T]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyParts<T[K]> }
    : T
