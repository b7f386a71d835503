import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { games } from '../../../main/referees/games.ts'
import type { Input } from '../../../main/referees/punter/input.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, riverScore, turnOf, type State } from '../../../main/referees/punter/state.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { completed, mapText, seatsOf } from '../../unit/punter/stage.ts'
import { dice } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, seedOf, type Played } from '../../unit/record/stage.ts'
import { expectOrder, expectRows, grouped, mean } from './plain.ts'
import { endedWithFaults, expectCommonAnswers } from './common.ts'

const punter = games.get('punter')!

interface Turn {
  readonly agent: string
  readonly round: number
  readonly before: number
  readonly after: number
  /** The rivers that the punter has more than before, with whether they lie at the border. */
  readonly taken: readonly { readonly border: boolean; readonly turn: number }[]
}

interface Match {
  readonly played: Played
  readonly state: State
  readonly turns: readonly Turn[]
}

type Next = (below: number) => number

function playedMatch(match: number, next: Next): Match {
  const punters = 2 + next(3)
  const sites = [10, 11, 12, 13, 14, 15, 16]
  const rivers = Array.from({ length: 3 + next(12) }, () => [sites[next(7)]!, sites[next(7)]!] as const)
  const map = mapText(sites, rivers, [10, 13])
  const extensions = { futures: true, splurges: next(2) === 0, options: next(2) === 0, maxTimeouts: 2 }
  const config = completed({ map, ...extensions })
  const state = rules.initial(config, seatsOf(punters), seedOf(match))
  const names = ['anna', 'ben', 'cleo', 'dan'].slice(0, punters)
  const inputs: Input[] = names.map((_, seat) => ({
    ...{ type: 'ready', seat },
    futures:
      next(2) === 0
        ? []
        : [
            { source: 10, target: sites[next(7)]! },
            { source: 13, target: sites[next(7)]! },
          ],
  }))
  for (const input of inputs) rules.apply(state, input)
  const turns: Turn[] = []
  while (!isOver(state)) {
    const seat = turnOf(state)
    const input = nextInput(seat, sites, rivers, next)
    const had = ownedBy(state, seat)
    const others = rivers_(state).filter(({ owner }) => owner !== -1 && owner !== seat)
    const before = riverScore(state.punters[seat]!)
    const [turn, round] = [state.moves + 1, 1 + Math.floor(state.moves / punters)]
    rules.apply(state, input)
    inputs.push(input)
    const taken = [...ownedBy(state, seat)].filter((river) => !had.has(river))
    turns.push({
      ...{ agent: names[seat]!, round, before, after: riverScore(state.punters[seat]!) },
      taken: taken.map((river) => {
        const ends = endsOf(state, river)
        const border = others.some(
          (other) => other.river !== river && endsOf(state, other.river).some((end) => ends.includes(end)),
        )
        return { turn, border }
      }),
    })
  }
  const happenings = inputs.map((input) => ({ input: input as Json }))
  return { played: { match, config: { ...config }, names, happenings }, state, turns }
}

function nextInput(
  seat: number,
  sites: readonly number[],
  rivers: readonly (readonly [number, number])[],
  next: Next,
): Input {
  const [source, target] = rivers[next(rivers.length)]!
  const one = (): number => sites[next(7)]!
  switch (next(10)) {
    case 0:
      return { type: 'fault', seat, fault: { kind: 'timeout', text: 'late' }, gone: next(6) === 0 }
    case 1:
      return { type: 'move', seat, move: { pass: {} } }
    case 2:
      return { type: 'move', seat, move: { option: { source, target } } }
    case 3:
      return { type: 'move', seat, move: { splurge: { route: [one(), one(), one()] } } }
    default:
      return { type: 'move', seat, move: { claim: { source, target } } }
  }
}

const rivers_ = ({ owners }: State) => Array.from(owners, (owner, river) => ({ owner, river }))
const ownedBy = ({ owners, holders }: State, seat: number): ReadonlySet<number> =>
  new Set([...owners.keys()].filter((river) => owners[river] === seat || holders[river] === seat))

function endsOf({ course }: State, river: number): readonly number[] {
  const { source, target } = course.rivers[river]!
  return [source, target]
}

test('ready questions about random contests are answered as by folding each match', async () => {
  const folder = temporaryFolder('punter-record')
  for (let round = 0; round < repeats({ short: 5, long: 200 }); round++) {
    const next = dice(round + 40)
    const matches = Array.from({ length: 1 + next(6) }, (_, match) => playedMatch(match, next))
    const dir = join(folder, String(round))
    const ended = matches.map(({ played }) => endedWithFaults(punter, played, next))
    await record(
      dir,
      punter,
      ended.map(({ played }) => played),
    )
    await build(dir, punter)
    expectCommonAnswers(dir, punter, ended, { agent: ended[0]!.agents[0]!, match: next(ended.length) })
    const turns = matches.flatMap((match) => match.turns)
    expectRows(askedOf(dir, punter, 'futures-lost'), lostFutures(matches), ['line', 'move'])
    expectOrder(askedOf(dir, punter, 'futures-lost'), 'worth', 'falling')
    expectRows(
      askedOf(dir, punter, 'futures-lost', { agent: 'ben' }),
      lostFutures(matches).filter(({ agent }) => agent === 'ben'),
      ['line', 'move'],
    )
    expectRows(askedOf(dir, punter, 'score-over-time'), scores(turns))
    expectRows(askedOf(dir, punter, 'border-rivers'), borders(matches))
    // A lost future leads to the event in which its punter was ready.
    for (const { match, move, agent } of askedOf(dir, punter, 'futures-lost'))
      expect(matches[Number(match)]!.played.happenings[Number(move) - 1]).toMatchObject({
        input: { type: 'ready', seat: matches[Number(match)]!.played.names.indexOf(String(agent)) },
      })
  }
})

function lostFutures(matches: readonly Match[]) {
  return matches.flatMap(({ played, state }) =>
    state.punters.flatMap(({ futures }, seat) =>
      futures
        .filter(({ kept }) => !kept)
        .map(({ mine, target, worth }) => ({
          ...{ match: played.match, agent: played.names[seat]!, worth },
          ...{ mine: state.course.ids[mine]!, target: state.course.ids[target]! },
        })),
    ),
  )
}

function scores(turns: readonly Turn[]) {
  return grouped(turns, ({ agent, round }) => JSON.stringify([agent, round])).map(([, same]) => ({
    ...{ agent: same[0]!.agent, round: same[0]!.round, moves: same.length },
    score: mean(same.map(({ after }) => after)),
    gain: mean(same.map(({ before, after }) => after - before)),
  }))
}

function borders(matches: readonly Match[]) {
  const taken = matches.flatMap(({ played, turns }) =>
    turns.flatMap(({ agent, taken: rivers }) => rivers.map((river) => ({ ...river, agent, match: played.match }))),
  )
  return grouped(taken, ({ agent }) => agent).map(([agent, all]) => {
    const atBorder = all.filter(({ border }) => border)
    return {
      ...{ agent, rivers: all.length, at_border: atBorder.length, share: atBorder.length / all.length },
      ...{ matches: new Set(all.map(({ match }) => match)).size, turn: mean(atBorder.map(({ turn }) => turn)) },
    }
  })
}
