import { cleanup, render, screen } from '@testing-library/svelte'
import type { ComponentProps } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import source from '../../../grammars/challenges/graph-colouring.challenge?raw'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { exchangeOf } from '../../../grammars/challenges/formats/index.ts'
import type { Json } from '../../../grammars/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { reader } from '../../../renderer/games/specker/digests.ts'
import EventDetail from '../../../renderer/games/specker/event-detail.svelte'
import { rules } from '../../../renderer/games/specker/rules.ts'
import type { Kept } from '../../../renderer/games/specker/story.ts'
import { saying } from '../../refusal.ts'
import { myciel3 } from '../challenges/well-known.ts'
import { standInForLayout } from './layout.ts'

standInForLayout()
afterEach(cleanup)

const challenge = readChallenge(source).challenge!

/** Shows the last event of a match: the solution of this raw material. */
function showSolution(graph: string): void {
  const read = exchangeOf(challenge)!.read(graph)
  if (!read.ok) throw new Error(read.problem.message)
  const { instance, predicate } = read.material
  const config = specker.config.parse({ challenge: source, challengeConfig: { colours: 4 }, maxTurns: 6, offersMin: 0 })
  const seats = specker.seats(config, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const { vertices } = instance as unknown as { readonly vertices: number }
  // All edges of one colour are bad, and those of the last vertex are good.
  const colours = [...new Array<number>(vertices - 1).fill(1), 2]
  const played = [
    { type: 'offer', predicate, price: 500_000_000 },
    { type: 'accept', challenge: 0 },
    { type: 'deliver', challenge: 0, instance },
    { type: 'solve', challenge: 0, solution: { colours } },
  ].map((action, at): MatchEvent => ({
    n: at,
    at,
    kind: 'input',
    input: { type: 'turn', seat: at % 2, actions: [action] },
  }))
  const { digests } = foldStretch(rules, { config, seats, seed: '0'.repeat(64) }, 'public', reader, 0, null, played)
  const telling = { name: (seat: number) => `seat ${seat}`, text: String, energy: String }
  const kept: Kept = {
    challenge,
    source,
    challengeConfig: (config as { challengeConfig: Json }).challengeConfig,
    telling,
  }
  const match = {
    rows: { length: 1, at: () => ({ index: 3, part: 0 }) },
    digest: (index: number) => digests[index],
    story: { kept },
    detail: { facts: { match: 1, game: 'specker' } },
  }
  render(EventDetail, { match, row: 0 } as unknown as ComponentProps<typeof EventDetail>)
}

test('a match of well-known raw material shows the best known measure beside that of the solution', () => {
  showSolution(myciel3)
  expect(screen.getByText(/myciel3/).textContent).toEqual(saying('myciel3', 20, 5))
  expect(screen.getByRole('img', { name: /^Raw material with the solution\. Graph/ })).toBeTruthy()
})

test('a match of other raw material shows none', () => {
  showSolution(myciel3.replace('p edge 11 20', 'p edge 11 19').replace('e 10 11\n', ''))
  expect(screen.getByRole('img', { name: /^Raw material with the solution\. Graph/ })).toBeTruthy()
  expect(screen.queryByText(/best known/)).toBeNull()
})
