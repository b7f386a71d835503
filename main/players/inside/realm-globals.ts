import type { BuiltIns } from './built-ins.ts'
import type { FolderAccess } from './folder-access.ts'

// Parts of a realm that are put together by their texts: see realmSource in realm.ts.

/** Seeds Math.random: the sfc32 generator; fifteen steps mix the words first. */
export function makeSeeding({ hide }: BuiltIns): (a: number, b: number, c: number, d: number) => void {
  return (a, b, c, d) => {
    const next = (): number => {
      const t = (((a + b) | 0) + d) | 0
      d = (d + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (c << 21) | (c >>> 11)
      c = (c + t) | 0
      return t >>> 0
    }
    for (let step = 0; step < 15; step += 1) next()
    hide(Math, 'random', function random() {
      return ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992
    })
  }
}

/** The steps of an answer, which a script counts instead of time. */
interface Budget {
  /** Adds `remaining`, which returns the steps that are left and uses one. */
  addRemaining: () => void
  /** The number of steps of each answer from now on. */
  setSteps: (steps: number) => void
  /** Begins the next answer. */
  renew: () => void
}

export function makeBudget({ world, hide }: BuiltIns): Budget {
  let most = 0
  let left = 0
  return {
    addRemaining() {
      hide(world, 'remaining', function remaining() {
        if (left === 0) return 0
        left -= 1
        return left + 1
      })
    },
    setSteps(steps) {
      most = steps
      left = steps
    },
    renew() {
      left = most
    },
  }
}

/** The ways in which a script could read the time. */
interface Clock {
  /** Makes those of Date and Intl return one moment. */
  freezeTime: () => void
  /** The same for Temporal, if it exists. */
  freezeTemporal: () => void
  dropTemporal: () => void
}

export function makeClock(builtIns: BuiltIns): Clock {
  const { world, apply, construct, defineProperty, deleteProperty, get, getOwnPropertyDescriptor, hide } = builtIns
  const epoch = 946_684_800_000

  const freezeDate = (): void => {
    const RealDate = Date
    const text = new RealDate(epoch).toString()
    const frozen = function Date(this: unknown, ...values: unknown[]): unknown {
      const made: unknown = new.target
      if (made === undefined) return text
      return construct(RealDate, values.length === 0 ? [epoch] : values, made as () => void)
    }
    for (const name of ['UTC', 'parse', 'prototype']) {
      defineProperty(frozen, name, getOwnPropertyDescriptor(RealDate, name)!)
    }
    defineProperty(frozen, 'length', { value: 7, configurable: true })
    defineProperty(frozen, 'name', { value: 'Date', configurable: true })
    hide(frozen, 'now', function now() {
      return epoch
    })
    hide(RealDate.prototype, 'constructor', frozen)
    hide(world, 'Date', frozen)
  }

  const freezeFormat = (): void => {
    const format = Intl.DateTimeFormat.prototype
    const realFormat = getOwnPropertyDescriptor(format, 'format')!.get!
    const realParts = format.formatToParts
    defineProperty(format, 'format', {
      configurable: true,
      get(this: unknown) {
        const bound = apply(realFormat, this, []) as (date?: unknown) => string
        return (date?: unknown) => bound(date === undefined ? epoch : date)
      },
    })
    hide(format, 'formatToParts', function formatToParts(this: unknown, date?: unknown): unknown {
      return apply(realParts, this, [date === undefined ? epoch : date]) as unknown
    })
  }

  return {
    freezeTime() {
      freezeDate()
      freezeFormat()
    },
    freezeTemporal() {
      const temporal = world['Temporal'] as { Instant: Record<string, (at: number) => object>; Now: object } | undefined
      if (temporal === undefined) return
      const instant = temporal.Instant['fromEpochMilliseconds']!(epoch)
      const zoned = get(instant, 'toZonedDateTimeISO') as (zone: unknown) => object
      const here = (zone: unknown): object => apply(zoned, instant, [zone === undefined ? 'UTC' : zone])
      hide(temporal.Now, 'instant', () => instant)
      hide(temporal.Now, 'timeZoneId', () => 'UTC')
      hide(temporal.Now, 'zonedDateTimeISO', here)
      for (const kind of ['PlainDate', 'PlainTime', 'PlainDateTime']) {
        const turn = get(here(undefined), 'to' + kind) as () => object
        const name = 'p' + kind.slice(1) + 'ISO'
        hide(temporal.Now, name, (zone: unknown) => apply(turn, here(zone), []))
      }
    },
    dropTemporal() {
      deleteProperty(world, 'Temporal')
      deleteProperty(Date.prototype, 'toTemporalInstant')
    },
  }
}

/** Globals that a realm loses or gets. */
interface Globals {
  /**
   * Removes what would sleep, run later by itself, or depend on the garbage collector, and JSON text that is not made
   * by JSON.
   */
  trim: () => void
  /**
   * Adds what Node's own realm had when such scripts were written. Few of them use Buffer, so it is created on first
   * use.
   */
  addNodeGlobals: (bufferLibrary: string) => void
  /**
   * Adds `shared` if the agents of the match share a folder. Its access function belongs to the outer realm: it is
   * never exposed, only strings pass through it, and exceptions of V8 in it are caught.
   */
  addShared: (access: FolderAccess) => void
}

export function makeGlobals(builtIns: BuiltIns): Globals {
  const { world, defineProperty, deleteProperty, parse, toText, RealError, evaluate, slice, hide } = builtIns
  return {
    trim() {
      deleteProperty(world, 'FinalizationRegistry')
      deleteProperty(world, 'WeakRef')
      for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
        deleteProperty(world['WebAssembly'] as object, name)
      }
      deleteProperty(Atomics, 'waitAsync')
      hide(Atomics, 'wait', function wait() {
        throw new TypeError('Atomics.wait is not available to agents')
      })
      deleteProperty(JSON, 'rawJSON')
      deleteProperty(JSON, 'isRawJSON')
    },
    addNodeGlobals(bufferLibrary) {
      hide(world, 'global', world)
      defineProperty(world, 'Buffer', {
        configurable: true,
        get() {
          const made: unknown = evaluate(bufferLibrary)
          hide(world, 'Buffer', made)
          return made
        },
        set(value: unknown) {
          hide(world, 'Buffer', value)
        },
      })
    },
    addShared(access) {
      const through = (operation: string, name: unknown, text: unknown): unknown => {
        if (typeof name !== 'string' || typeof text !== 'string') {
          throw new RealError('The shared folder: names and texts are strings.')
        }
        let result: string
        try {
          result = access(operation, name, text)
        } catch {
          result = 'X"The shared folder: there is no room on the stack."'
        }
        const value: unknown = parse(slice(result, 1))
        if (result[0] === 'A') return value
        throw new RealError(toText(value))
      }
      const shared = {
        read: (name: unknown) => through('read', name, ''),
        write: (name: unknown, text: unknown) => void through('write', name, text),
        list: () => through('list', '', ''),
      }
      hide(world, 'shared', shared)
    },
  }
}
