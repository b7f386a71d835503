import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { reader } from '../../../renderer/games/specker/digests.ts'
import { obligationsOf } from '../../../renderer/games/specker/market.ts'
import { rules } from '../../../renderer/games/specker/rules.ts'
import { visible } from '../../../renderer/parts/lists/visible.ts'
import type { Telling } from '../../../main/referees/specker/narration/sentences.ts'
import { lineOf, linesIn } from '../../../renderer/games/specker/sentences.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { allOf, beginning, events, material, offer, turn, viewAfter } from './played.ts'

/** Every line of a match as the event list tells it, and the match's digests. */
function told(settings: Record<string, Json>, inputs: readonly Json[], players = 2) {
  const start = beginning(players, settings)
  const stretch = foldStretch(rules, start, 'public', reader, 0, null, events(inputs))
  const digests = allOf(stretch)
  expect(stretch.broken).toBeNull()
  const telling: Telling = {
    name: (seat) => ['Ada', 'Bob', 'Cyd'][seat] ?? '?',
    energy: (amount) => String(amount / 1e9),
    text: visible,
  }
  const lines = digests.flatMap((digest) =>
    Array.from({ length: linesIn(digest) }, (_, part) => lineOf(digest, part, telling)),
  )
  return { digests, lines }
}

const nonce = 'ab'.repeat(32)
const secret = { values: [1, 0, 0] }
const answer = { values: [0, 0, 0] }
const sale: readonly Json[] = [
  turn(0, { ...(offer([22], 500_000_000) as object), kind: 'secret' }),
  turn(1, { type: 'accept', challenge: 0 }),
  turn(0, {
    ...{ type: 'deliver', challenge: 0, instance: material },
    secret: { quality: '1/1', commitment: commitmentOf(secret, nonce) },
  }),
  turn(1, { type: 'solve', challenge: 0, solution: answer }),
]
const reveal = turn(0, { type: 'reveal', challenge: 0, solution: secret, nonce })

test('a secret challenge is told from its offer to its end', () => {
  const { lines, digests } = told({ variant: 'base-ball' }, [...sale, reveal])
  expect(lines.map(({ text }) => text)).toEqual([
    'Ada offers secret challenge 0 for 0.5.',
    'Bob buys challenge 0 from Ada for 0.5.',
    'Ada delivers the raw material for challenge 0 and commits to a secret solution of quality 1/1.',
    'Bob solves challenge 0 with quality 0/1: it stands. Ada pays nothing.',
    'Ada reveals the secret of challenge 0: a solution of quality 1/1, as promised.',
  ])
  expect(lines.at(-1)?.rule).toEqual({ name: 'Rule 4', number: 4, title: 'Reveal' })
  const shown = digests.at(-1)!.happenings[0]!.evidence
  expect(shown).toEqual({ predicate: { relations: [22] }, instance: material, solution: secret })
})

test('an unrevealed secret is an obligation of the seller', () => {
  const view = viewAfter(beginning(2, { variant: 'secret' }), sale)
  expect(obligationsOf(view, 'public')).toEqual([
    { challenge: 0, owes: 'its secret', debtor: 0, to: 1, price: 500_000_000 },
  ])
})

test('a belief is told with what it claims', () => {
  const { lines } = told({ variant: 'belief', f: 'free' }, [
    turn(0, { ...(offer([22], 500_000_000) as object), f: 700_000_000 }),
    turn(1, { type: 'accept', challenge: 0 }),
    turn(0, { type: 'deliver', challenge: 0, instance: material }),
    turn(1, { type: 'solve', challenge: 0, solution: secret }),
  ])
  expect(lines[0]?.text).toBe('Ada offers belief challenge 0 for 0.5, claiming that quality 0.7 cannot be reached.')
  expect(lines[3]?.text).toBe('Bob solves challenge 0 with quality 1/1: it is discounted. Ada pays 0.8.')
})

test('a race, the end of trading and what is overdue', () => {
  const grab = (seat: number): Json => ({ ...(turn(seat, { type: 'accept', challenge: 0 }) as object), seen: 1 })
  const { lines, digests } = told(
    { mode: 'asynchronous' },
    [turn(0, offer([22], 500_000_000)), grab(1), grab(2), { type: 'close' }, { type: 'overdue', challenge: 0 }],
    3,
  )
  expect(lines.map(({ seat, text }) => [seat, text])).toEqual([
    [0, 'Ada offers challenge 0 for 0.5.'],
    [1, 'Bob buys challenge 0 from Ada for 0.5.'],
    [2, 'Cyd comes too late: actions.0 (accept): challenge 0 was bought by seat 1; it can be bought only once.'],
    [null, 'Trading ends; what is owed is still delivered and solved.'],
    [0, 'Ada is removed: raw material for challenge 0 was due within the time slot and did not come.'],
    [0, 'Challenge 0 ends early: The seller was removed before this challenge was finished. Bob receives 0.5.'],
  ])
  expect(digests[2]?.happenings).toMatchObject([{ action: 0 }])
})
