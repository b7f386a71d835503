import * as z from 'zod'
import { gameId, type GameId } from '../ids.ts'
import { procedure } from '../procedures/procedure.ts'
import type { TermTable } from './term-table.ts'

/** Procedures of the table of the term and of grades. */
export const gradeProcedures = {
  /** The table of the term, over all contests that count. `game`: of this game only; null: of all games. */
  'grades.term': procedure<{ game: GameId | null }, TermTable>(z.strictObject({ game: gameId.nullable() }), 200),
} as const
