import { groupedTexts } from '../contract/text-patterns.ts'

/** Control and formatting characters, lone surrogates, and the two Unicode line separators. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Escapes text from files and agents for display: control characters, terminal escapes and marks that change the writing
 * direction are spelled out (`\x1b`, `\u202e`). Line ends and tabs stay.
 */
export function safe(text: string): string {
  return text.replace(unsafe, (character) =>
    character === '\n' || character === '\t' ? character : spelled(character),
  )
}

/** Like `safe`, for one line: line ends and tabs are spelled out as well. */
export function safeLine(text: string): string {
  return safe(text).replace(/[\n\t]/g, spelled)
}

/** One line of JSON without characters that control a terminal. Parses to the same value as JSON.stringify's output. */
export function printedJson(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, spelledInJson)
}

/** Like `printedJson`, indented by `spaces` per level; on one line if the value is too deeply nested for that. */
export function jsonText(value: unknown, spaces = 0): string {
  try {
    return JSON.stringify(value, null, spaces).replace(unsafe, (character) =>
      character === '\n' ? character : spelledInJson(character),
    )
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return printedJson(value)
  }
}

function spelledInJson(character: string): string {
  return [...Array(character.length).keys()].map((at) => unit(character.charCodeAt(at))).join('')
}

export interface TextColumn {
  readonly title: string
  /** `right` for numbers, so that their digits line up. */
  readonly align: 'left' | 'right'
}

/** A table as lines, the header first, with two spaces between columns. Cells are escaped. */
export function table(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(safeLine))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  return cells.map((row) =>
    columns
      .map(({ align }, at) => {
        const cell = row[at] ?? ''
        const space = ' '.repeat((widths[at] ?? 0) - widthOf(cell))
        return align === 'right' ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
}

/** A column of a table that has a row for each of some things: its title, and the cell of a thing. */
export interface ColumnOf<T> extends TextColumn {
  cell(thing: T): string | number
}

/** A column of texts. */
export const left = <T>(title: string, cell: ColumnOf<T>['cell']): ColumnOf<T> => ({ title, align: 'left', cell })

/** A column of numbers. */
export const right = <T>(title: string, cell: ColumnOf<T>['cell']): ColumnOf<T> => ({ title, align: 'right', cell })

/** Like `table`, with a row for each of some things. */
export function tableOf<T>(things: readonly T[], columns: readonly ColumnOf<T>[]): readonly string[] {
  return table(
    columns,
    things.map((thing) => columns.map(({ cell }) => String(cell(thing)))),
  )
}

/** `1 match`, `2 matches`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** One line for each distinct fault, in the order of the first of each: `invalid: The answer cannot be read. (360 times)`. */
export function faultLines(faults: readonly { readonly kind: string; readonly text: string }[]): readonly string[] {
  return groupedTexts(faults.map(({ kind, text }) => `${kind}: ${text}`)).map(({ text, times }) =>
    times === 1 ? text : `${text} (${times} times)`,
  )
}

/** A rounded duration: `8 s`, `3 min`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** In characters, not in UTF-16 units. */
function widthOf(cell: string): number {
  return Array.from(cell).length
}

function spelled(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
