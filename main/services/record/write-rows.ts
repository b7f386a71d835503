import { writeFileSync } from 'node:fs'
import { PRIVATE_FILE } from '../../administrator/classroom/private-files.ts'
import { csvLines } from './csv.ts'
import { answerQuery, type QueryAnswer, type QueryOrder } from './query.ts'

/** A query whose rows become a file. */
export interface WriteOrder {
  readonly query: QueryOrder
  /** The path of the file, which is new. */
  readonly path: string
  readonly as: 'csv' | 'json'
}

export interface WrittenRows {
  /** The number of rows in the file. */
  readonly rows: number
  /** True: there are more rows, which were left out. */
  readonly more: boolean
}

/** Writes the rows of an answer into a file. Throws like `answerQuery`, and errors of the system. */
export function writeRows({ query, path, as }: WriteOrder): WrittenRows {
  const answer = answerQuery(query)
  writeFileSync(path, textOf(answer, as), { mode: PRIVATE_FILE, flag: 'wx' })
  return { rows: answer.rows.length, more: answer.more }
}

/** JSON: one object with the columns and the rows, as the command line prints them. */
function textOf({ columns, rows, more }: QueryAnswer, as: WriteOrder['as']): string {
  if (as === 'json') return `${JSON.stringify({ columns, rows, more })}\n`
  // Lines end as RFC 4180 has it; the mark tells spreadsheets that the text is UTF-8.
  return `\uFEFF${csvLines({ columns, rows }).join('\r\n')}\r\n`
}
