/*
 * The program inside an agent's process: built to one file, which is all that the process may read, with Node's built-in
 * modules only.
 *
 * Dialogue with the worker over stdin and stdout, one frame per line: a letter, a number, a space, JSON text.
 *   in:  O opens a realm · Q a question · T a message without an answer · Z the match is over
 *        The number of a Q is the question's, with a colon and the body if that is not the first; of a T, the body.
 *   out: H ready for a realm · R the realm is open · A an answer · S an unasked message · X a fault instead of R or A
 *        U an unasked fault (the number of S, U and C is the body) · C console text · I the realm is closed, ready again
 * stdin is read with blocking calls and the event loop never runs: this is fastest, and no timer, finaliser, background
 * compilation or late promise of a script can run outside a call that is timed.
 *
 * How a realm is kept closed: only strings cross its boundary, and it gets no function of ours except one, which gives
 * access to the folder that the agents of a match share, if there is one; see realm.ts for how that is guarded. Two
 * things of this outer realm can still become visible: errors that V8 raises inside Node's own callbacks (for example a
 * stack overflow while a stack trace is formatted), and the arguments that V8 lists when such a callback calls a proxy
 * of the script. The outer realm is therefore useless to an attacker: no code from strings
 * (--disallow-code-generation-from-strings, which still permits eval in the script's realm), no globals except those of
 * ECMAScript, everything frozen. Node's permission model and the box surround it.
 */
import { Buffer } from 'node:buffer'
import { readSync, writeSync } from 'node:fs'
import process from 'node:process'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { compileFunction, constants, createContext, Script, type Context } from 'node:vm'
import { openFolderAccess } from './folder-access.ts'
import { lock } from './lock.ts'
import { realmSource, type RealmFunctions } from './realm.ts'
import { placesOf, sourcePlaces, withOwnPlaces, type SourcePlaces } from './source-places.ts'

/** The text of an expression that evaluates to a Buffer class; the build inserts it. */
declare const BUFFER_LIBRARY: string

interface Opening {
  /** null: what this process compiled last. */
  readonly texts: Texts | null
  /** True if the realm has `global` and `Buffer`, for scripts written for Node. */
  readonly nodeGlobals: boolean
  readonly seed: string
  readonly clock: 'frozen' | 'real'
  /** The number for each answer. */
  readonly steps: number
  readonly consoleBytes: number
  readonly messageBytes: number
}

interface Texts {
  readonly source: string
  readonly adapter: string
}

/** Settings that are the same in all matches of a contest. */
type Setting = Pick<Opening, 'nodeGlobals' | 'clock' | 'consoleBytes'>

interface Code {
  readonly texts: Texts
  readonly agent: Script
  readonly adapter: Script
  /** Absent: not read yet. */
  places?: { readonly read: SourcePlaces | null }
}

interface Realm {
  readonly context: Context
  readonly functions: RealmFunctions
}

/** A realm in which everything except the match's own data is ready; no line of the script has run. */
interface Furnished extends Realm {
  readonly code: Code
  readonly setting: Setting
  readonly agent: unknown
  readonly adapter: unknown
}

const { argv, exit, env } = process
/** The folder that the agents of the match share is this program's argument, if there is one. */
const folderAccess = argv[2] === undefined ? null : openFolderAccess(argv[2])
const collect = collector()
/** The maximum memory of an idle process: two realms, a large compiled agent, and the 32 MB of V8 for young objects. */
const idleBytes = 64 * 1_048_576
/** Memory is collected in steps of this size: reused memory is in the processor's caches, fresh memory is not. */
const tidyBytes = 12 * 1_048_576
const refuseImport = (): never => {
  // An error object of this realm would lead the script out.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw 'import is not available to agents'
}
/** `columnOffset`: added to the columns of the first line. */
const compile = (text: string, filename: string, columnOffset = 0): Script =>
  new Script(text, { filename, columnOffset, importModuleDynamically: refuseImport })
const realmScript = compile(realmSource(), 'realm')
/** Running any script drains the queue of microtasks of its realm. */
const drain = compile('0', 'drain')

// A process serves one agent, so its source is compiled once.
let compiled: Code | undefined
/** The realms for the first match and for the next one, which has the same settings. */
let first: Realm | undefined
let spare: Furnished | undefined
let realm: Furnished | undefined
let messageBytes = 0
let collectAt = tidyBytes

function freshRealm(): Realm {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' })
  return { context, functions: realmScript.runInContext(context) as RealmFunctions }
}

function furnished(bare: Realm, code: Code, { nodeGlobals, clock, consoleBytes }: Setting): Furnished {
  const { context, functions } = bare
  // Scripts for Node are older than Temporal, and few others use it.
  const temporal = !nodeGlobals && code.texts.source.includes('Temporal')
  functions.furnish(clock === 'frozen', temporal, consoleBytes + 1, nodeGlobals ? BUFFER_LIBRARY : '', folderAccess)
  const agent: unknown = code.agent.runInContext(context)
  const adapter: unknown = code.adapter.runInContext(context)
  return { context, functions, code, setting: { nodeGlobals, clock, consoleBytes }, agent, adapter }
}

function takeRealm(code: Code, setting: Setting): Furnished {
  const taken = spare
  spare = undefined
  if (taken?.code === code && isSame(taken.setting, setting)) return taken
  const bare = first ?? freshRealm()
  first = undefined
  return furnished(bare, code, setting)
}

const isSame = (one: Setting, other: Setting): boolean =>
  one.nodeGlobals === other.nodeGlobals && one.clock === other.clock && one.consoleBytes === other.consoleBytes

function open(opening: Opening): void {
  messageBytes = opening.messageBytes
  const code = opening.texts === null ? compiled : compileAgent(opening.texts)
  if (code === undefined) throw new Error('no source has arrived yet')
  if (typeof code === 'string') return send('X', 1, code)
  realm = takeRealm(code, opening)
  realm.functions.seed(...chanceOf(opening.seed))
  realm.functions.setSteps(opening.steps)
  const result = realm.functions.load(realm.agent, realm.adapter)
  drain.runInContext(realm.context)
  sendConsole(realm)
  if (result[0] === 'X') send('X', 1, faultOf(result, 'while loading'))
  else send('R', 1, 'null')
}

/** The last such comment counts: a script's own comment would hide the line numbers of its faults. */
const named = '\n//# sourceURL=agent.js'

/** Before the source on its first line, whose columns stay those of the source. */
const wrapper = '(function (exports, module) {'

/** V8's error messages for scripts that are ES modules. */
const moduleWords = /Unexpected token 'export'|Cannot use import statement|Cannot use 'import.meta'/
const moduleHint =
  'A .js file is not an ES module here: write "module.exports = Agent", or hand in a .ts file, which may export'

/** Compiles the agent; returns the JSON text of a fault if that fails. */
function compileAgent(texts: Texts): Code | string {
  const { source, adapter } = texts
  if (compiled?.texts.source === source && compiled.texts.adapter === adapter) return compiled
  try {
    // First compiled as a function body: text that closes the wrapper below is a syntax error here, with its own line.
    compileFunction(source + named, ['exports', 'module'], {
      filename: 'agent.js',
      importModuleDynamically: refuseImport,
    })
    compiled = {
      texts,
      agent: compile(`${wrapper}${source}\n})${named}`, 'agent.js', -wrapper.length),
      adapter: compile(`(${adapter}\n)`, 'adapter.js'),
    }
    return compiled
  } catch (error) {
    // No script has run yet, so this error is V8's own.
    const stack = error instanceof Error ? String(error.stack) : ''
    const line = /^agent\.js:(\d+)/.exec(stack)?.[1]
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'it cannot be compiled'
    const hint = moduleWords.test(text) ? `. ${moduleHint}` : ''
    const place = line === undefined ? null : `line ${line} of its file`
    return JSON.stringify({ kind: 'crash', text: `${sentence('cannot be compiled', text, place)}${hint}` })
  }
}

function ask(letter: 'Q' | 'T', number: number, body: number, text: string): void {
  if (realm === undefined) throw new Error('no realm is open')
  const result = realm.functions.ask(text, body)
  drain.runInContext(realm.context)
  sendConsole(realm, body)
  const [good, bad] = letter === 'Q' ? ['A', 'X'] : ['S', 'U']
  const when = letter === 'Q' ? 'while answering' : 'while listening'
  if (result[0] === 'X') return send(bad, number, faultOf(result, when))
  if (result[0] === 'N') {
    if (letter === 'Q')
      send(
        bad,
        number,
        fault('invalid', 'The agent gave no answer: its method returned undefined. Is a "return" missing?'),
      )
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
  // Drops the realm itself, so that it can be collected.
  const { code, setting } = realm ?? {}
  realm = undefined
  // Memory that this match used must not count against the next one.
  if (heldBytes() > collectAt) {
    collect()
    const left = heldBytes()
    if (left > idleBytes) exit(0)
    collectAt = Math.min(idleBytes, Math.max(tidyBytes, left + tidyBytes / 2))
  }
  send('I', 0, 'null')
  if (code !== undefined && setting !== undefined) spare ??= furnished(freshRealm(), code, setting)
}

/** The memory of V8's heap and of typed arrays outside it. */
function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return total_heap_size + external_memory
}

/** The garbage collector, which only this realm can call. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = new Script('gc').runInContext(createContext()) as () => void
  setFlagsFromString('--no-expose-gc')
  return gc
}

const fault = (kind: string, text: string): string => JSON.stringify({ kind, text })

/** `result`: X and the realm's JSON of [kind, text, stack], three plain strings. */
function faultOf(result: string, when: string): string {
  const [kind, text, stack] = JSON.parse(result.slice(1)) as [string, string, string]
  if (kind === 'invalid') return fault(kind, text)
  if (kind === 'unfit') return fault('crash', `The agent cannot be used: ${text}.`)
  const missing = missingGlobal.exec(text)?.[1]
  const hint = missing === undefined ? '' : `. Scripts have no ${missing}: ${withoutNode}`
  return fault(kind, `${sentence(`threw ${when}`, text, placesOf(stack, placesInSource()))}${hint}`)
}

/** V8's error message for a global object of Node or of browsers. */
const missingGlobal =
  /^ReferenceError: (require|process|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|performance|window|document|Buffer|global|__dirname) is not defined$/
const withoutNode = 'there are no modules of Node, no timers, no files and no network; hand in several files as a .zip'

/** The places in the files from which the agent was bundled; null: it was not bundled. Read when they are first needed. */
function placesInSource(): SourcePlaces | null {
  if (compiled === undefined) return null
  compiled.places ??= { read: sourcePlaces(compiled.texts.source) }
  return compiled.places.read
}

/** `place`: as `placesOf` gives it. */
const sentence = (what: string, text: string, place: string | null): string =>
  `The agent ${what}${place === null ? '' : ` (${place})`}: ${text}`

function sendConsole(from: Realm, body = 0): void {
  const text = from.functions.takeConsole()
  if (text === '') return
  const places = text.includes('agent.js:') ? placesInSource() : null
  send('C', body, JSON.stringify(places === null ? text : withOwnPlaces(text, places)))
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
  if (letter === 'Q') {
    const [number, body = 0] = frame.slice(1, space).split(':').map(Number)
    ask(letter, number!, body, json)
  } else if (letter === 'T') ask(letter, Number(frame.slice(1, space)), Number(frame.slice(1, space)), json)
  else if (letter === 'O') open(JSON.parse(json) as Opening)
  else if (letter === 'Z') close()
  else throw new Error('a frame of unknown kind')
}

/** Reads frames until the worker has gone, then ends the process. */
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

env['TZ'] = 'UTC'
lock(freshRealm().context)
first = freshRealm()
send('H', 0, 'null')
serve()

/** Four FNV-1a hashes of a seed, with which a realm initialises its sfc32 generator. */
function chanceOf(seed: string): readonly [number, number, number, number] {
  const hash = (start: number): number => {
    let h = start
    for (let at = 0; at < seed.length; at += 1) h = Math.imul(h ^ seed.charCodeAt(at), 16_777_619)
    return h | 0
  }
  const a = hash(2_166_136_261)
  const b = hash(a ^ 0x9e37)
  const c = hash(b ^ 0x79b9)
  return [a, b, c, hash(c ^ 0x7f4a)]
}
