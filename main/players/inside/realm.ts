import { copyBuiltIns, type BuiltIns } from './built-ins.ts'
import type { FolderAccess } from './folder-access.ts'
import { makeBudget, makeClock, makeGlobals, makeSeeding } from './realm-globals.ts'

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
  /** Gives loading and every answer this number of steps; called before `load`. */
  readonly setSteps: (steps: number) => void
  readonly load: (agent: unknown, adapter: unknown) => string
  readonly ask: (text: string, body: number) => string
  readonly takeConsole: () => string
}

/** How values of a script are put into words. Reading a value may run code of the script. */
interface Wording {
  /** A value as a text, without its stack. */
  plain: (value: unknown) => string
  /** The result for something thrown: a fault with its text and its stack. */
  thrown: (value: unknown) => string
  /** A value as the console shows it. */
  show: (value: unknown) => string
}

function makeWording({ toText, stringify, get, slice, indexOf, lastIndexOf }: BuiltIns): Wording {
  /** Removes our own frames from a stack. */
  const theirs = (stack: string): string => {
    const ours = indexOf(stack, '(realm:')
    return ours === -1 ? stack : slice(stack, 0, lastIndexOf(stack, '\n', ours))
  }
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
  return { plain, thrown, show }
}

/** The printed text of a match, up to a number of characters. */
interface Output {
  /** Gives it room for this many characters. */
  allow: (chars: number) => void
  /** Adds the script's `console`. */
  addConsole: () => void
  /** Keeps a value that the game's adapter logs. */
  log: (value: unknown) => void
  /** The text that was printed since the last call. */
  take: () => string
}

function makeOutput({ world, stringify, slice, indexOf, hide }: BuiltIns, { show }: Wording): Output {
  let room = 0
  let kept = ''

  const keep = (line: string): void => {
    if (room <= 0) return
    const whole = slice(line, 0, room) + '\n'
    room -= whole.length
    kept += whole
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
  const addConsole = (): void => {
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
  return {
    allow(chars) {
      room = chars
    },
    addConsole,
    log(value) {
      if (room > 0) keep(show(value))
    },
    take() {
      const text = kept
      kept = ''
      return text
    },
  }
}

/** Loads the agent and asks it. `begin`: called before each answer. */
function makeDialogue(
  {
    world,
    apply,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    isArray,
    ownKeys,
    parse,
    stringify,
    PromisePrototype,
    slice,
    hide,
  }: BuiltIns,
  { plain, thrown }: Wording,
  log: Output['log'],
  begin: () => void,
): Pick<RealmFunctions, 'load' | 'ask'> {
  let respond: (message: unknown, body: number) => unknown
  const isPromise = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype
  /** Names a promise, which JSON writes as an empty object: the answer itself, or a field of it. '': there is none. */
  const promiseIn = (value: unknown): string => {
    if (isPromise(value)) return 'a promise'
    if (typeof value !== 'object' || value === null || isArray(value)) return ''
    const keys = ownKeys(value)
    for (let at = 0; at < keys.length && at < 16; at += 1) {
      const key = keys[at]!
      if (typeof key === 'string' && isPromise(getOwnPropertyDescriptor(value, key)?.value))
        return 'a promise in "' + slice(key, 0, 40) + '"'
    }
    return ''
  }
  return {
    load(agent, adapter) {
      const module = { exports: {} }
      try {
        hide(world, 'module', module)
        hide(world, 'exports', module.exports)
        apply(agent as () => void, module.exports, [module.exports, module])
        const speak = adapter as (exported: unknown, log: unknown) => typeof respond | string
        const made = speak(module.exports, log)
        if (typeof made === 'string') return 'X["unfit",' + stringify(slice(made, 0, 2_000)) + ',""]'
        respond = made
        return 'N'
      } catch (error) {
        return thrown(error)
      }
    },
    ask(text, body) {
      let value: unknown
      begin()
      try {
        value = respond(parse(text), body)
      } catch (error) {
        return thrown(error)
      }
      if (value === undefined) return 'N'
      let problem: string
      try {
        const promise = promiseIn(value)
        const json: unknown = promise === '' ? stringify(value) : undefined
        if (typeof json === 'string') return 'A' + json
        problem =
          promise === ''
            ? (typeof value === 'object' ? 'an ' : 'a ') + typeof value
            : promise + '; answers must not be asynchronous: leave out "async" and "await"'
      } catch (error) {
        problem = 'a value that cannot be written as JSON: ' + slice(plain(error), 0, 300)
      }
      return 'X["invalid",' + stringify('The agent answered with ' + problem + '.') + ',""]'
    },
  }
}

const parts = {
  copyBuiltIns,
  makeWording,
  makeOutput,
  makeSeeding,
  makeBudget,
  makeClock,
  makeGlobals,
  makeDialogue,
} as const

function assemble(make: typeof parts): RealmFunctions {
  const builtIns = make.copyBuiltIns()
  const wording = make.makeWording(builtIns)
  const { allow, addConsole, log, take } = make.makeOutput(builtIns, wording)
  const seed = make.makeSeeding(builtIns)
  const { addRemaining, setSteps, renew } = make.makeBudget(builtIns)
  const { freezeTime, freezeTemporal, dropTemporal } = make.makeClock(builtIns)
  const { trim, addNodeGlobals, addShared } = make.makeGlobals(builtIns)
  const { load, ask } = make.makeDialogue(builtIns, wording, log, renew)
  return {
    furnish(frozen, temporal, consoleChars, bufferLibrary, folder) {
      allow(consoleChars)
      if (!temporal) dropTemporal()
      if (bufferLibrary !== '') addNodeGlobals(bufferLibrary)
      if (frozen) freezeTime()
      if (frozen && temporal) freezeTemporal()
      trim()
      addConsole()
      addRemaining()
      if (folder !== null) addShared(folder)
    },
    seed,
    setSteps,
    load,
    ask,
    takeConsole: take,
  }
}

/**
 * The text of a script that runs inside a new realm before any other and evaluates to its RealmFunctions. The parts
 * are put together by their texts, so a part may use only its own parameters and what the realm has, and nothing else of the
 * file that it is in. Their results are built by joining primitive strings: JSON.stringify of an object of ours would call a script's
 * Object.prototype.toJSON. A script gets only `module`, `console`, `shared`, the adapter's `log`, and functions that replace
 * built-ins.
 */
export function realmSource(): string {
  const texts = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`)
  return `'use strict';(${assemble.toString()})({${texts.join(',')}})`
}
