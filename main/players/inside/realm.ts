import type { FolderAccess } from './folder-access.ts'

/**
 * A realm's own functions. Each takes and returns primitives; result strings begin with A (JSON), N (nothing) or X (a
 * fault).
 */
export interface RealmFunctions {
  /**
   * Prepares what does not depend on the match; called first. `temporal`: whether the script may use Temporal; setting
   * its clock takes twice as long as the rest of a realm. `folder`: access to the folder that the agents of the match
   * share; null: there is none.
   */
  readonly furnish: (
    frozen: boolean,
    temporal: boolean,
    consoleChars: number,
    bufferLibrary: string,
    folder: FolderAccess | null,
  ) => void
  /** Seeds Math.random with four words of `chanceOf`; called before `load`. */
  readonly seed: (a: number, b: number, c: number, d: number) => void
  readonly load: (agent: unknown, adapter: unknown) => string
  readonly ask: (text: string, body: number) => string
  readonly takeConsole: () => string
}

/**
 * Its text runs inside a new realm before any script, so it must not use anything defined outside it in this file. It
 * copies the built-ins first, so that a script that replaces them deceives only itself. Its results are built by
 * joining primitive strings: JSON.stringify of an object of ours would call a script's Object.prototype.toJSON.
 */
export function insideRealm(): RealmFunctions {
  const world = globalThis as Record<string, unknown>
  const { apply, construct, defineProperty, getPrototypeOf, get, getOwnPropertyDescriptor } = Reflect
  const { parse, stringify } = JSON
  const toText = String
  const RealError = Error
  const evaluate = eval
  const PromisePrototype = Promise.prototype
  // A bound `call` is immune to changes of Function.prototype by a script.
  const FunctionPrototype: CallableFunction = Function.prototype
  const { bind, call } = FunctionPrototype
  const unbound = (method: unknown): unknown => apply(bind, call, [method])
  const slice = unbound(String.prototype.slice) as (text: string, from: number, to?: number) => string
  const indexOf = unbound(String.prototype.indexOf) as (text: string, part: string) => number
  const lastIndexOf = unbound(String.prototype.lastIndexOf) as (text: string, part: string, from: number) => number
  const epoch = 946_684_800_000
  let room = 0
  let kept = ''
  let respond: (message: unknown, body: number) => unknown

  const hide = (holder: object, name: string, value: unknown): void => {
    defineProperty(holder, name, { value, writable: true, enumerable: false, configurable: true })
  }

  const keep = (line: string): void => {
    if (room <= 0) return
    const whole = slice(line, 0, room) + '\n'
    room -= whole.length
    kept += whole
  }

  /** Removes our own frames from a stack. */
  const theirs = (stack: string): string => {
    const ours = indexOf(stack, '(realm:')
    return ours === -1 ? stack : slice(stack, 0, lastIndexOf(stack, '\n', ours))
  }

  /** Describes a thrown value; reading it may run code of the script. */
  const words = (value: unknown): string => {
    try {
      if (typeof value !== 'object' || value === null) return toText(value)
      const text: unknown = get(value, 'stack')
      return typeof text === 'string' && text !== '' ? theirs(text) : toText(value)
    } catch {
      return 'something that cannot be shown'
    }
  }

  const plain = (value: unknown): string => {
    try {
      return toText(value)
    } catch {
      return 'something that cannot be shown'
    }
  }

  const thrown = (value: unknown): string =>
    'X["crash",' + stringify(slice(plain(value), 0, 2_000)) + ',' + stringify(slice(words(value), 0, 20_000)) + ']'

  const show = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null) return toText(value)
    try {
      const text: unknown = value instanceof Error ? undefined : stringify(value)
      if (typeof text === 'string') return text
    } catch {
      // Circular, or a hostile getter.
    }
    return words(value)
  }

  /**
   * Prints console output of a script. Lines with this prefix are logged values of the game's adapter; no script can
   * print them.
   */
  const print = (...values: unknown[]): void => {
    if (room <= 0) return
    let line = ''
    for (let at = 0; at < values.length; at += 1) line += (at === 0 ? '' : ' ') + show(values[at])
    const forged = slice(line, 0, 1) === '\u25b8' || indexOf(line, '\n\u25b8') !== -1
    keep(forged ? stringify(line) : line)
  }

  const makeConsole = (): void => {
    const console: Record<string, unknown> = {}
    for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table']) console[name] = print
    for (const name of ['group', 'groupCollapsed', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'clear']) {
      console[name] = (): void => {}
    }
    console['assert'] = (holds: unknown, ...values: unknown[]): void => {
      if (!holds) print('Assertion failed:', ...values)
    }
    hide(world, 'console', console)
  }

  /** The sfc32 generator; fifteen steps mix the words first. */
  const seedRandom = (a: number, b: number, c: number, d: number): void => {
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

  /** Makes every way to read the time return `epoch`. */
  const freezeTime = (): void => {
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

  /** The same for Temporal, if it exists. */
  const freezeTemporal = (): void => {
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
  }

  /**
   * Removes what would sleep, run later by itself, or depend on the garbage collector, and JSON text that is not made
   * by JSON.
   */
  const trim = (): void => {
    delete world['FinalizationRegistry']
    delete world['WeakRef']
    for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
      Reflect.deleteProperty(world['WebAssembly'] as object, name)
    }
    Reflect.deleteProperty(Atomics, 'waitAsync')
    hide(Atomics, 'wait', function wait() {
      throw new TypeError('Atomics.wait is not available to agents')
    })
    Reflect.deleteProperty(JSON, 'rawJSON')
    Reflect.deleteProperty(JSON, 'isRawJSON')
  }

  const dropTemporal = (): void => {
    Reflect.deleteProperty(world, 'Temporal')
    Reflect.deleteProperty(Date.prototype, 'toTemporalInstant')
  }

  /**
   * Adds what Node's own realm had when such scripts were written. Few of them use Buffer, so it is created on first
   * use.
   */
  const addNodeGlobals = (bufferLibrary: string): void => {
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
  }

  /**
   * Adds `shared` if the agents of the match share a folder. Its access function belongs to the outer realm: it is
   * never exposed, only strings pass through it, and exceptions of V8 in it are caught.
   */
  const addShared = (access: FolderAccess): void => {
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
  }

  return {
    furnish(frozen, temporal, consoleChars, bufferLibrary, folder) {
      room = consoleChars
      if (!temporal) dropTemporal()
      if (bufferLibrary !== '') addNodeGlobals(bufferLibrary)
      if (frozen) freezeTime()
      if (frozen && temporal) freezeTemporal()
      trim()
      makeConsole()
      if (folder !== null) addShared(folder)
    },
    seed: seedRandom,
    load(agent, adapter) {
      const module = { exports: {} }
      try {
        hide(world, 'module', module)
        hide(world, 'exports', module.exports)
        apply(agent as () => void, module.exports, [module.exports, module])
        const speak = adapter as (exported: unknown, log: unknown) => typeof respond | string
        const made = speak(module.exports, (line: unknown) => {
          if (room > 0) keep(show(line))
        })
        if (typeof made === 'string') return 'X["unfit",' + stringify(slice(made, 0, 2_000)) + ',""]'
        respond = made
        return 'N'
      } catch (error) {
        return thrown(error)
      }
    },
    ask(text, body) {
      let value: unknown
      try {
        value = respond(parse(text), body)
      } catch (error) {
        return thrown(error)
      }
      if (value === undefined) return 'N'
      let problem: string
      try {
        const promise = typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype
        const json: unknown = promise ? undefined : stringify(value)
        if (typeof json === 'string') return 'A' + json
        problem = promise
          ? 'a promise; answers must not be asynchronous'
          : (typeof value === 'object' ? 'an ' : 'a ') + typeof value
      } catch (error) {
        problem = 'a value that cannot be written as JSON: ' + slice(plain(error), 0, 300)
      }
      return 'X["invalid",' + stringify('The agent answered with ' + problem + '.') + ',""]'
    },
    takeConsole() {
      const text = kept
      kept = ''
      return text
    },
  }
}
