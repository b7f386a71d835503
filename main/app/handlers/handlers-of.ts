import type { Handlers } from '../../contract/procedures/procedures.ts'

/** The handlers of the procedures whose names begin with one of these words. */
export type HandlersOf<K extends string> = Pick<Handlers, Extract<keyof Handlers, `${K}.${string}`>>
