import { ExpectedError } from '../../contract/expected-error.ts'
import type { QuestionParameter, ReadyQuestion } from '../../contract/game/event-tables.ts'
import type { GameId } from '../../contract/ids.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { games } from '../../referees/games.ts'
import { commonQuestions } from './common-questions.ts'

/** The ready questions about contests of a game, by name: the game's own, then those of every game. */
export function questionsOf(game: GameId): Readonly<Record<string, ReadyQuestion>> {
  return { ...games.get(game)?.tables?.questions, ...commonQuestions }
}

/** Throws ExpectedError 'usage' if the game has no such question. */
export function questionNamed(game: GameId, name: string): ReadyQuestion {
  const questions = new Map(Object.entries(questionsOf(game)))
  const found = questions.get(name)
  if (found !== undefined) return found
  const known = [...questions.keys()]
  const hint = didYouMean(name, known) || ` The questions are ${known.join(', ')}.`
  throw new ExpectedError('usage', 'question-unknown', `There is no question "${name}" about ${game}.${hint}`)
}

/** The values of a question's parameters. Throws ExpectedError 'usage' if it has no such parameter, or a value is not a number. */
export function boundParameters(
  { parameters }: ReadyQuestion,
  chosen: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | null>> {
  const unknown = Object.keys(chosen).find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined) {
    const known = Object.keys(parameters)
    const which = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`
    throw new ExpectedError('usage', 'input-invalid', `The question has no parameter "${unknown}"; ${which}.`)
  }
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, valueOf(name, parameter, chosen[name])]),
  )
}

function valueOf(name: string, { kind, default: usual }: QuestionParameter, chosen?: string): string | number | null {
  if (chosen === undefined) return usual
  if (kind === 'agent' || kind === 'text') return chosen
  const isNumber = kind === 'whole' ? /^-?\d{1,15}$/.test(chosen) : /^-?\d{1,15}(?:\.\d{1,15})?$/.test(chosen)
  if (isNumber) return Number(chosen)
  const wanted = kind === 'whole' ? 'a whole number' : 'a number'
  throw new ExpectedError('usage', 'input-invalid', `The parameter "${name}" must be ${wanted}, not "${chosen}".`)
}
