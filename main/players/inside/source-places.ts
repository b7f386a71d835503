import { Buffer } from 'node:buffer'

/** A place in a file that the agent was bundled from. */
interface Place {
  readonly file: string
  readonly line: number
}

/** The places of a script's code in the files that it was bundled from. */
export interface SourcePlaces {
  /** `line` and `column` of the script from 1; null: that code comes from no file. */
  at(line: number, column: number): Place | null
}

const comment = '//# sourceMappingURL=data:application/json;base64,'
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const fileLength = 120
/** Callers of the code that threw that a sentence names. */
const callersMax = 3

/**
 * Reads the source map (version 3) in the last comment of a script; null: it has none that can be read. The script may have
 * written any text there: nothing but its own messages depends on it.
 */
export function sourcePlaces(script: string): SourcePlaces | null {
  const start = script.lastIndexOf(comment)
  if (start === -1) return null
  const lineEnd = script.indexOf('\n', start)
  const encoded = script.slice(start + comment.length, lineEnd === -1 ? script.length : lineEnd)
  try {
    const map: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    if (typeof map !== 'object' || map === null || !('sources' in map) || !('mappings' in map)) return null
    const { sources, mappings } = map
    if (!Array.isArray(sources) || typeof mappings !== 'string') return null
    const files = sources.map((source) => plainName(String(source)))
    return { at: (line, column) => placeIn(mappings, files, line, column) }
  } catch {
    return null
  }
}

/** Names are shown, so they are short and have no control characters. */
const plainName = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, fileLength)

/** Mappings are differences to the one before, in base 64 with a sign; lines end with a semicolon, mappings with a comma. */
function placeIn(mappings: string, files: readonly string[], line: number, column: number): Place | null {
  let generatedLine = 1
  let generatedColumn = 0
  let file = 0
  let fileLine = 0
  let found: Place | null = null
  let field = 0
  let value = 0
  let shift = 0
  let hasFile = false
  for (let at = 0; at <= mappings.length && generatedLine <= line; at += 1) {
    const char = mappings[at] ?? ';'
    if (char === ',' || char === ';') {
      if (generatedLine === line && field > 0 && generatedColumn < column) {
        const name = hasFile ? files[file] : undefined
        found = name === undefined ? null : { file: name, line: fileLine + 1 }
      }
      field = 0
      hasFile = false
      if (char === ';') {
        generatedLine += 1
        generatedColumn = 0
      }
      continue
    }
    const digit = digits.indexOf(char)
    if (digit === -1) return null
    value |= (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    const difference = (value & 1) === 1 ? -(value >>> 1) : value >>> 1
    if (field === 0) generatedColumn += difference
    else if (field === 1) {
      file += difference
      hasFile = true
    } else if (field === 2) fileLine += difference
    field += 1
    value = 0
    shift = 0
  }
  return found
}

/** A frame of the script in a stack. */
const frame = /\bagent\.js:(\d{1,9}):(\d{1,9})/

/**
 * The place of an error in the agent's own files, with those that called it: `strategy.ts, line 27, called from main.ts, line 12`;
 * null: no frame of the stack is in them.
 */
export function placesOf(stack: string, places: SourcePlaces | null): string | null {
  const named: string[] = []
  for (const text of stack.split('\n')) {
    const [, line, column] = /^\s+at /.test(text) ? (frame.exec(text) ?? []) : []
    if (line === undefined || column === undefined) continue
    const place = nameOf(Number(line), Number(column), places)
    if (place !== null && !named.includes(place)) named.push(place)
    if (named.length > callersMax) break
  }
  const [first, ...callers] = named
  if (first === undefined) return null
  const own = places === null ? `${first} of its file` : first
  return [own, ...callers.map((caller) => `called from ${caller}`)].join(', ')
}

function nameOf(line: number, column: number, places: SourcePlaces | null): string | null {
  if (places === null) return `line ${line}`
  const place = places.at(line, column)
  return place === null ? null : `${place.file}, line ${place.line}`
}

/** A printed text, in which the script's stacks name the agent's own files. */
export function withOwnPlaces(text: string, places: SourcePlaces): string {
  return text.replace(/\bagent\.js:(\d{1,9}):(\d{1,9})/g, (whole, line: string, column: string) => {
    const place = places.at(Number(line), Number(column))
    return place === null ? whole : `${place.file}:${place.line}`
  })
}
