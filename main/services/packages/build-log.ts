/**
 * The output of a compiler or another build tool, read for a person: its first error with its place, and the remedy for a
 * mistake that the tool cannot know: that a build has no network, or not that tool. The text is a stranger's: every expression below is
 * linear in it.
 */
export interface BuildLog {
  /** The first error: `Main.java, line 3, column 5: ';' expected`. Null if no line has the form of an error. */
  readonly firstError: string | null
  /** A sentence without a full stop; null if none is known. */
  readonly remedy: string | null
}

interface Place {
  readonly file: string
  readonly line: string
  readonly column?: string | undefined
}

const lineLength = 500

/** `file:line: error: text` and `file:line:column: error: text` of gcc, clang, javac, kotlinc, ghc and others. */
const named = /^(\S[^:]*):(\d+):(?:(\d+):)? *(?:fatal )?error:? *(.*)$/i
/** `file(line,column): error TS1005: text` of tsc and MSVC. */
const inBrackets = /^(\S[^(]*)\((\d+)(?:,(\d+))?\): *(?:fatal )?error *[A-Z]*\d*: *(.*)$/
/** `./main.go:3:5: text` of go, which has no word for an error. */
const ofGo = /^(\S[^:]*\.go):(\d+):(?:(\d+):)? *(.*)$/
/** `main.c:(.text+0x5): undefined reference to` a name, of the GNU linker, which knows no line; and that of others. */
const ofLinker = /^(?:\S*\bld: )?(\S[^:]*):\([^)]*\): *(undefined reference .*|multiple definition .*)$/
const ofOtherLinkers = /^(?:\S*\/)?(?:ld\.)?(?:ld|lld|mold|gold): (?:error: )?((?:undefined|duplicate) symbol.*)$/
/** `error[E0425]: text` of rustc, with its place in one of the following lines. */
const ofRust = /^error(?:\[E\d+\])?: *(.*)$/
const placeOfRust = /^ *--> (\S[^:]*):(\d+):(\d+)$/
/** `  File "main.py", line 3` of Python's tracebacks, whose last line says the error. */
const ofPython = /^ *File "([^"]*)", line (\d+)/
/** The lines of a traceback that are looked through. */
const tracebackLength = 200
/** `KeyError: 'x'`, `__main__.NoMove`. */
const raised = /^[A-Za-z_][\w.]*(?:: .*)?$/

/** `boxed`: it is the log of a build in a box, which may have met the limits of the box. */
export function readBuildLog(log: string, boxed = false): BuildLog {
  const lines = log.split(/\r?\n/).map((line) => line.slice(0, lineLength).trimEnd())
  return { firstError: firstErrorIn(lines), remedy: remedyFor(log, boxed) }
}

function firstErrorIn(lines: readonly string[]): string | null {
  for (const [at, line] of lines.entries()) {
    const [, file, number, column, text] = named.exec(line) ?? inBrackets.exec(line) ?? ofGo.exec(line) ?? []
    if (file !== undefined && number !== undefined)
      return sentence({ file, line: number, column }, text === '' ? lines[at + 1] : text)
    const [, object, missing] = ofLinker.exec(line) ?? []
    if (object !== undefined && missing !== undefined) return `${object}: ${missing}`
    const [, symbol] = ofOtherLinkers.exec(line) ?? []
    if (symbol !== undefined) return symbol
    const [, found] = ofRust.exec(line) ?? []
    if (found !== undefined) {
      const place = lines.slice(at + 1, at + 6).flatMap((next) => placeOf(placeOfRust.exec(next)))[0]
      if (place !== undefined) return sentence(place, found)
    }
    const raisedAt = ofPython.test(line) && !ofPython.test(lines[at + 1] ?? '') ? tracebackFrom(lines, at) : null
    if (raisedAt !== null) return raisedAt
  }
  return null
}

/** Files of Python itself, which throw for what others have given them. */
const ofSystem = /^(?:\/usr\/|\/opt\/|\/lib|<)/

/** The innermost place of a traceback that begins at a line, outside of Python's own files if there is one, with the error below it. */
function tracebackFrom(lines: readonly string[], at: number): string | null {
  const below = lines.slice(at, at + tracebackLength)
  const end = below.findIndex((line) => /^\S/.test(line))
  if (end === -1 || !raised.test(below[end]!)) return null
  const places = below.slice(0, end).flatMap((line) => placeOf(ofPython.exec(line)))
  const place = places.findLast(({ file }) => !ofSystem.test(file)) ?? places.at(-1)
  return place === undefined ? null : sentence(place, below[end])
}

function placeOf(match: RegExpExecArray | null): readonly Place[] {
  const [, file, line, column] = match ?? []
  return file === undefined || line === undefined ? [] : [{ file, line, column }]
}

function sentence({ file, line, column }: Place, text: string | undefined): string {
  const place = `${file}, line ${line}${column === undefined ? '' : `, column ${column}`}`
  return `${place}: ${text?.trim().replace(/\.$/, '') ?? 'an error'}`
}

/** By the words of a tool and those for a network that is not there, the way around it. */
const remedies = [
  {
    tool: /\bpip\b/,
    words:
      /Temporary failure in name resolution|NewConnectionError|No matching distribution found|externally-managed-environment/,
    way: 'put the Python packages into the package ("pip download -d vendor NAME") and install them beside the agent with "pip install --no-index --find-links vendor --target . NAME"',
  },
  {
    tool: /\bnpm (?:ERR!|error)/,
    words: /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|\bnetwork\b/,
    way: 'put node_modules into the package, or import files of the package',
  },
  {
    tool: /\bgo: /,
    words: /\bdial tcp\b|proxy\.golang\.org|no such host/,
    way: 'put the modules into the package ("go mod vendor")',
  },
  {
    tool: /crates\.io/,
    words: /Could not resolve host|failed to (?:download|fetch|get)/,
    way: 'put the crates into the package ("cargo vendor")',
  },
  {
    tool: /(?:)/,
    words: /Could not resolve host|Temporary failure in name resolution|Network is unreachable/,
    way: 'put all that it needs into the package',
  },
] as const

/** `build: 1: rustc: not found` of a shell, `run.sh: line 3: cargo: command not found` of another one, and the like of make. */
const notInstalled =
  /^(?:[^:\s]+: )?(?:(?:line )?\d+: )?([\w.+-]+): (?:command )?not found$|^make: ([\w.+-]+): No such file or directory$/m

/** The words of the system for a file that may not grow, with or without a box. */
const fileFull = /\b(?:File size limit exceeded|File too large)\b/i
/** Its words for a folder of a box that may not grow, or for a full disk of the machine. */
const folderFull = /\bNo space left on device\b/i

function remedyFor(log: string, boxed: boolean): string | null {
  const [, ofShell, ofMake] = notInstalled.exec(log) ?? []
  const tool = ofShell ?? ofMake
  if (tool !== undefined)
    return `a build sees the programs of the class's machine that are installed for all users, such as those in /usr/bin, and ${tool} is not among them`
  if (fileFull.test(log)) return 'each file that a build writes may have 16 MB'
  if (boxed && folderFull.test(log)) return 'a build may write 512 MB into its folder, and 16 MB elsewhere'
  const found = remedies.find(({ tool, words }) => tool.test(log) && words.test(log))
  return found === undefined ? null : `a build has no network: ${found.way}`
}
