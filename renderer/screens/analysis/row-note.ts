import type { Asked, MinedCell } from '../../../main/contract/procedures/procedures.ts'
import { number } from '../../words.ts'
import { placeColumns } from './chart.ts'

/** The note with which a row of an answer is kept as evidence: what was asked, and the values of the row except for its place. */
export function rowNote(asked: Asked, title: string, columns: readonly string[], cells: readonly MinedCell[]): string {
  const values = columns.flatMap((name, at) => {
    const cell = cells[at] ?? null
    if (cell === null || placeColumns.has(name)) return []
    return [`${name.replaceAll('_', ' ')} ${typeof cell === 'number' ? number(cell, 4) : cell}`]
  })
  const found = values.join(', ')
  if ('sql' in asked) return `A query of my own found: ${found}\n\n${asked.sql}`
  const chosen = Object.entries(asked.parameters).map(([name, value]) => `${name} ${value}`)
  return `“${title}”${chosen.length === 0 ? '' : ` (${chosen.join(', ')})`}: ${found}`
}
