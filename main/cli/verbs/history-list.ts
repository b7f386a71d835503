import type { Command } from 'commander'
import type { GameId } from '../../contract/ids.ts'
import { scoreInUnit, scoreText } from '../../services/game-facts.ts'
import { listHistories, listMatches, type ListedMatch } from '../../services/histories/list-histories.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { left, right, safeLine, tableOf } from '../text.ts'

/** `tartaglia history list`: lists the histories of a data folder, or the matches of one contest. */
export function addHistoryList(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'list',
    'List the histories of a data folder, or the matches of one contest',
    'tartaglia history list sample-contest-1',
  )
    .argument('[contest]', 'a contest or a recording of an arena (default: list all of them)')
    .addOption(dataOption())
    .action((contest: string | undefined, { data = defaultDataFolder() }: { data?: string }) =>
      contest === undefined ? listAll(terminal, data) : listOne(terminal, data, contest),
    )
}

async function listAll(terminal: Terminal, data: string): Promise<void> {
  const histories = await listHistories(data)
  terminal.output('history list', { data, histories })
  if (histories.length === 0) {
    terminal.print(`There are no histories in ${safeLine(data)}.`)
    return
  }
  terminal.print(
    ...tableOf(histories, [
      left('contest', ({ contest }) => contest),
      right('matches', ({ matches }) => matches),
      right('bytes', ({ bytes }) => bytes),
    ]),
  )
}

/** The match with scores in the unit of the game. `game`: null for a recording, whose games count in whole points. */
function inUnits(game: GameId | null, { outcome, ...match }: ListedMatch): ListedMatch {
  if (game === null) return { ...match, outcome }
  const places = outcome.places.map((place) => ({ ...place, score: scoreInUnit(game, place.score) }))
  return { ...match, outcome: { ...outcome, places } }
}

async function listOne(terminal: Terminal, data: string, contest: string): Promise<void> {
  const { game, total, matches } = await listMatches(data, contest)
  terminal.output('history list', { data, contest, total, matches: matches.map((match) => inUnits(game, match)) })
  if (total === 0) {
    terminal.print(`There are no finished matches in ${safeLine(contest)}.`)
    return
  }
  const written = (score: number): string => (game === null ? String(score) : scoreText(game, score))
  const seatsOf = ({ entrants, outcome }: ListedMatch): readonly string[] =>
    entrants.map((name, seat) =>
      [name, ...outcome.places.slice(seat, seat + 1).map((place) => written(place.score))].join(' '),
    )
  terminal.print(
    ...tableOf(matches, [
      right('match', ({ match }) => match),
      left('entrants and scores', (match) => seatsOf(match).join(', ')),
    ]),
  )
  if (total > matches.length) terminal.print(`${total - matches.length} more are not shown.`)
}
