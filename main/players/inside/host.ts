/*
 * What runs inside an agent's process: Node's built-ins only, one file, built to one file that is all the process may read.
 *
 * Dialogue with the worker over stdin and stdout, a frame a line: a letter, a number, a space, JSON text.
 *   in:  O open a realm · Q a question · T a message that wants no answer · Z the match is over
 *   out: H ready for a realm · R the realm is open · A an answer · S something said unasked · X a fault instead of R or A
 *        U a fault unasked · C console text · I the realm is gone, ready for the next
 * stdin is read with blocking calls and the event loop never turns: that is the shortest path, and no timer, finaliser,
 * background compilation or late promise of a script can ever run outside the call that is on the clock.
 *
 * How a realm is kept shut: strings alone cross into it and out of it, and no function of ours is ever handed to it. What
 * can still surface in it are errors of this, the outer, realm that V8 raises inside Node's own callbacks (a stack overflow
 * while a stack trace is formatted does that), so the outer realm is worth nothing to the finder: no code from strings
 * (--disallow-code-generation-from-strings, which leaves eval alone in the script's realm), no global but ECMAScript's own,
 * everything frozen. Around it stand Node's permission model and the box.
 */
import { Buffer } from 'node:buffer'
import { readSync, writeSync } from 'node:fs'
import process from 'node:process'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { compileFunction, constants, createContext, Script, type Context } from 'node:vm'

/** The text of an expression that is a Buffer class; the build puts it here. */
declare const BUFFER_LIBRARY: string

interface Opening {
  /** null: what this process compiled last. */
  readonly source: string | null
  readonly adapter: string
  /** Whether the realm has `global` and `Buffer`, as scripts of Node know them. */
  readonly nodeGlobals: boolean
  readonly seed: string
  readonly clock: 'frozen' | 'real'
  readonly consoleBytes: number
  readonly messageBytes: number
}

/** A realm's own functions. Each takes and gives strings; the answers begin with A (JSON), N (nothing) or X (a fault). */
interface Doors {
  readonly prepare: (seed: string, frozen: boolean, consoleChars: number, bufferLibrary: string) => void
  readonly load: (agent: unknown, adapter: unknown) => string
  readonly ask: (text: string) => string
  readonly takeConsole: () => string
}

interface Realm {
  readonly context: Context
  readonly doors: Doors
}

const { exit, env } = process
const collect = collector()
/** What an idle process may hold: two realms, a large agent compiled, and the room that V8 keeps for young objects. */
const idleBytes = 48 * 1_048_576
/** Collected at so much, in steps of so much: memory that is used again is in the processor's caches, fresh memory is not. */
const tidyBytes = 12 * 1_048_576
const refuseImport = (): never => {
  // An error object of this realm would lead the script out.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw 'import is not available to agents'
}
const compile = (text: string, filename: string): Script =>
  new Script(text, { filename, importModuleDynamically: refuseImport })
const realmScript = compile(`'use strict';(${insideRealm.toString()})()`, 'realm')
/** Running anything drains the realm's own queue of microtasks. */
const drain = compile('0', 'drain')

// A process serves one agent, so its source is compiled once.
let compiled: { source: string; adapterText: string; agent: Script; adapter: Script } | undefined
let spare: Realm | undefined
let realm: Realm | undefined
let messageBytes = 0
let collectAt = tidyBytes

function freshRealm(): Realm {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' })
  return { context, doors: realmScript.runInContext(context) as Doors }
}

function open(opening: Opening): void {
  messageBytes = opening.messageBytes
  const scripts = compileAgent(opening)
  if (typeof scripts === 'string') return send('X', 1, scripts)
  const next = spare ?? freshRealm()
  spare = undefined
  realm = next
  const library = opening.nodeGlobals ? BUFFER_LIBRARY : ''
  next.doors.prepare(opening.seed, opening.clock === 'frozen', opening.consoleBytes + 1, library)
  const agent: unknown = scripts.agent.runInContext(next.context)
  const adapter: unknown = scripts.adapter.runInContext(next.context)
  const result = next.doors.load(agent, adapter)
  drain.runInContext(next.context)
  sendConsole(next)
  if (result[0] === 'X') send('X', 1, faultOf(result, 'while loading'))
  else send('R', 1, 'null')
}

/** The compiled agent, or the JSON text of a fault. */
function compileAgent({ source: given, adapter }: Opening): NonNullable<typeof compiled> | string {
  const source = given ?? compiled?.source
  if (source === undefined) throw new Error('no source has come yet')
  if (compiled?.source === source && compiled.adapterText === adapter) return compiled
  try {
    // Compiled as a function body first: text that closes the wrapper below is a syntax error here, at its own line.
    compileFunction(source, ['exports', 'module'], {
      filename: 'agent.js',
      importModuleDynamically: refuseImport,
    })
    compiled = {
      source,
      adapterText: adapter,
      agent: compile(`(function (exports, module) {${source}\n})`, 'agent.js'),
      adapter: compile(`(${adapter}\n)`, 'adapter.js'),
    }
    return compiled
  } catch (error) {
    // No script has run yet: this error is V8's own.
    const stack = error instanceof Error ? String(error.stack) : ''
    const line = /^agent\.js:(\d+)/.exec(stack)?.[1]
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'it cannot be compiled'
    return JSON.stringify({ kind: 'crash', text: sentence('cannot be compiled', text, line) })
  }
}

function ask(letter: 'Q' | 'T', number: number, text: string): void {
  if (realm === undefined) throw new Error('no realm is open')
  const result = realm.doors.ask(text)
  drain.runInContext(realm.context)
  sendConsole(realm)
  const [good, bad] = letter === 'Q' ? ['A', 'X'] : ['S', 'U']
  const when = letter === 'Q' ? 'while answering' : 'while listening'
  if (result[0] === 'X') return send(bad, number, faultOf(result, when))
  if (result[0] === 'N') {
    if (letter === 'Q') send(bad, number, fault('invalid', 'The agent gave no answer (undefined).'))
    return
  }
  const length = result.length - 1
  if (length > messageBytes || (length * 3 > messageBytes && Buffer.byteLength(result) - 1 > messageBytes)) {
    const size = `an answer of about ${length} characters; ${messageBytes} bytes are allowed`
    return send(bad, number, fault('protocol', `The agent gave ${size}.`))
  }
  send(good, number, result.slice(1))
}

function close(): void {
  realm = undefined
  // Memory that this match has left must not count against the next.
  if (heldBytes() > collectAt) {
    collect()
    const left = heldBytes()
    if (left > idleBytes) exit(0)
    collectAt = Math.min(idleBytes, Math.max(tidyBytes, left + tidyBytes / 2))
  }
  send('I', 0, 'null')
  spare ??= freshRealm()
}

/** V8's heap and what typed arrays hold outside it. */
function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return total_heap_size + external_memory
}

/** The garbage collector, which no realm but this one sees. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = new Script('gc').runInContext(createContext()) as () => void
  setFlagsFromString('--no-expose-gc')
  return gc
}

const fault = (kind: string, text: string): string => JSON.stringify({ kind, text })

/** `result`: X and the realm's own JSON of [kind, text, stack], three plain strings. */
function faultOf(result: string, when: string): string {
  const [kind, text, stack] = JSON.parse(result.slice(1)) as [string, string, string]
  if (kind === 'invalid') return fault(kind, text)
  const line = /^\s+at .*?\bagent\.js:(\d+):\d+/m.exec(stack)?.[1]
  return fault(kind, sentence(`threw ${when}`, text, line))
}

const sentence = (what: string, text: string, line: string | undefined): string =>
  `The agent ${what}${line === undefined ? '' : ` (line ${line} of its file)`}: ${text}`

function sendConsole(from: Realm): void {
  const text = from.doors.takeConsole()
  if (text !== '') send('C', 0, JSON.stringify(text))
}

const out = Buffer.allocUnsafeSlow(65_536)
function send(letter: string, number: number, json: string): void {
  const frame = `${letter}${number} ${json}\n`
  const fits = frame.length * 3 <= out.length
  const bytes = fits ? out : Buffer.from(frame)
  const length = fits ? out.write(frame, 0, 'utf8') : bytes.length
  for (let at = 0; at < length;) at += writeSync(1, bytes, at, length - at)
}

function receive(frame: string): void {
  const space = frame.indexOf(' ')
  const letter = frame[0]
  const json = frame.slice(space + 1)
  if (letter === 'Q' || letter === 'T') ask(letter, Number(frame.slice(1, space)), json)
  else if (letter === 'O') open(JSON.parse(json) as Opening)
  else if (letter === 'Z') close()
  else throw new Error('a frame of no known kind')
}

/** Reads frames for ever; ends the process when the worker has gone. */
function serve(): never {
  const buffer = Buffer.allocUnsafeSlow(65_536)
  let parts: Buffer[] = []
  for (;;) {
    const length = readSync(0, buffer, 0, buffer.length, null)
    if (length === 0) exit(0)
    const chunk = buffer.subarray(0, length)
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, end)
      const whole = parts.length === 0 ? last : Buffer.concat([...parts, last])
      parts = []
      from = end + 1
      receive(whole.toString('utf8'))
    }
    if (from < length) parts.push(Buffer.from(chunk.subarray(from)))
  }
}

/**
 * What freezing does not stop: the last match that RegExp remembers (state that would outlive a match), the machine's clock
 * and its chance. Who has one function of this realm reaches every prototype of it through Reflect.construct.
 */
function disarm(): void {
  for (const name of Reflect.ownKeys(RegExp)) {
    if (Object.getOwnPropertyDescriptor(RegExp, name)?.get !== undefined) Reflect.deleteProperty(RegExp, name)
  }
  const clocks: readonly (readonly [object | undefined, readonly string[]])[] = [
    [Date, ['now']],
    [Date.prototype, ['constructor']],
    [Intl.DateTimeFormat.prototype, ['constructor', 'format', 'formatToParts']],
    [Math, ['random']],
    [(globalThis as { Temporal?: object }).Temporal, ['Now']],
  ]
  for (const [holder, names] of clocks) {
    for (const name of names) if (holder !== undefined) Reflect.deleteProperty(holder, name)
  }
}

/** Leaves this realm with ECMAScript's own globals, and freezes everything that can be reached from them or from syntax. */
function lock(): void {
  disarm()
  const kept = new Set(Object.getOwnPropertyNames(freshRealm().context))
  kept.delete('console')
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  const found = new Set<unknown>()
  const queue: unknown[] = [
    globalThis,
    function* () {},
    async function () {},
    async function* () {},
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    /./[Symbol.matchAll](''),
  ]
  for (let next = queue.pop(); queue.length > 0 || next !== undefined; next = queue.pop()) {
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null || found.has(next)) continue
    found.add(next)
    Object.freeze(next)
    queue.push(Object.getPrototypeOf(next))
    for (const key of Reflect.ownKeys(next)) {
      const property = Object.getOwnPropertyDescriptor(next, key)
      queue.push(property?.value, property?.get, property?.set)
    }
  }
}

/**
 * Runs inside a fresh realm, before any script, and sees nothing of this file. Takes its copies of the built-ins first, so
 * that a script that replaces them deceives itself alone. What it hands out it makes by joining primitive strings:
 * JSON.stringify of an object of ours would call a script's Object.prototype.toJSON.
 */
function insideRealm(): Doors {
  const world = globalThis as Record<string, unknown>
  const { apply, construct, defineProperty, getPrototypeOf, get, getOwnPropertyDescriptor } = Reflect
  const { parse, stringify } = JSON
  const toText = String
  const evaluate = eval
  const PromisePrototype = Promise.prototype
  // A bound `call` is immune to what a script does to Function.prototype.
  const FunctionPrototype: CallableFunction = Function.prototype
  const { bind, call } = FunctionPrototype
  const unbound = (method: unknown): unknown => apply(bind, call, [method])
  const slice = unbound(String.prototype.slice) as (text: string, from: number, to: number) => string
  const indexOf = unbound(String.prototype.indexOf) as (text: string, part: string) => number
  const lastIndexOf = unbound(String.prototype.lastIndexOf) as (text: string, part: string, from: number) => number
  const epoch = 946_684_800_000
  let room = 0
  let kept = ''
  let respond: (message: unknown) => unknown

  const hide = (holder: object, name: string, value: unknown): void => {
    defineProperty(holder, name, { value, writable: true, enumerable: false, configurable: true })
  }

  const keep = (line: string): void => {
    if (room <= 0) return
    const whole = slice(line, 0, room) + '\n'
    room -= whole.length
    kept += whole
  }

  /** A stack without the frames that are ours. */
  const theirs = (stack: string): string => {
    const ours = indexOf(stack, '(realm:')
    return ours === -1 ? stack : slice(stack, 0, lastIndexOf(stack, '\n', ours))
  }

  /** What a thrown value says of itself; asking it may run more of the script. */
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

  /** What the console of a script prints. Lines that begin so are notes of its game's adapter and of nobody else. */
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

  /** sfc32, seeded by four FNV-1a hashes of the text. */
  const seedRandom = (seed: string): void => {
    const hash = (start: number): number => {
      let h = start
      for (let at = 0; at < seed.length; at += 1) h = Math.imul(h ^ seed.charCodeAt(at), 16_777_619)
      return h | 0
    }
    let a = hash(2_166_136_261)
    let b = hash(a ^ 0x9e37)
    let c = hash(b ^ 0x79b9)
    let d = hash(c ^ 0x7f4a)
    const next = (): number => {
      const t = (((a + b) | 0) + d) | 0
      d = (d + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (c << 21) | (c >>> 11)
      c = (c + t) | 0
      return t >>> 0
    }
    for (let at = 0; at < 15; at += 1) next()
    hide(Math, 'random', function random() {
      return ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992
    })
  }

  /** Every way to ask for the time answers `epoch`. */
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

  /** What would sleep, run by itself later, or depend on the garbage collector. And JSON text that is not JSON's. */
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

  /**
   * What Node's own realm had when such scripts were written. Most never ask for Buffer: it is made when one does. Temporal
   * came later, and merely looking at it, as setting its clock does, takes as long as all the rest of a realm.
   */
  const addNodeGlobals = (bufferLibrary: string): void => {
    Reflect.deleteProperty(world, 'Temporal')
    Reflect.deleteProperty(Date.prototype, 'toTemporalInstant')
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

  return {
    prepare(seed, frozen, consoleChars, bufferLibrary) {
      room = consoleChars
      seedRandom(seed)
      if (bufferLibrary !== '') addNodeGlobals(bufferLibrary)
      if (frozen) freezeTime()
      trim()
      makeConsole()
    },
    load(agent, adapter) {
      const module = { exports: {} }
      try {
        hide(world, 'module', module)
        hide(world, 'exports', module.exports)
        apply(agent as () => void, module.exports, [module.exports, module])
        respond = (adapter as (exported: unknown, log: unknown) => typeof respond)(module.exports, (line: unknown) => {
          if (room > 0) keep(show(line))
        })
        return 'N'
      } catch (error) {
        return thrown(error)
      }
    },
    ask(text) {
      let value: unknown
      try {
        value = respond(parse(text))
      } catch (error) {
        return thrown(error)
      }
      if (value === undefined) return 'N'
      let problem: string
      try {
        const promise = typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype
        const json: unknown = promise ? undefined : stringify(value)
        if (typeof json === 'string') return 'A' + json
        problem = promise ? 'a promise; answers must not be asynchronous' : 'a ' + typeof value
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

env['TZ'] = 'UTC'
lock()
spare = freshRealm()
send('H', 0, 'null')
serve()
