import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Answer, Move } from '../../../main/referees/punter/messages.ts'
import {
  playerViewFrom,
  previewMove,
  previewFutures,
  type DialogueLine,
} from '../../../main/referees/punter/player-view.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, scoreOf, turnOf } from '../../../main/referees/punter/state.ts'
import { lastMoves, setupMessages, stopMessage } from '../../../main/referees/punter/referee.ts'
import { viewOf, type View } from '../../../main/referees/punter/view.ts'
import { begun, mapText, passesOn, pathMap, plays, claim } from '../../unit/punter/stage.ts'

const site = fc.nat({ max: 6 })
const ends = fc.record({ source: site, target: site })
const move: fc.Arbitrary<Move> = fc.oneof(
  ends.map((each) => ({ claim: each })),
  ends.map((each) => ({ option: each })),
  fc.array(site, { maxLength: 4 }).map((route) => ({ splurge: { route } })),
  fc.constant({ pass: {} }),
)
const matches = fc.record({
  rivers: fc.array(fc.tuple(site, site), { minLength: 1, maxLength: 14 }),
  punters: fc.integer({ min: 2, max: 4 }),
  me: fc.nat({ max: 3 }),
  futures: fc.array(ends, { maxLength: 3 }),
  moves: fc.array(move, { maxLength: 14 }),
})

/** Without the reasons of refused moves, which everybody is told as passes. */
const told = (view: View): View => ({ ...view, punters: view.punters.map((each) => ({ ...each, refused: null })) })

test('a punter knows after each message all that everybody may know of the match', () => {
  fc.assert(
    fc.property(matches, ({ rivers, punters, me: any, futures, moves }) => {
      const me = any % punters
      const settings = {
        map: mapText([0, 1, 2, 3, 4, 5, 6], rivers, [0, 3]),
        futures: true,
        splurges: true,
        options: true,
      }
      const own = Array.from({ length: punters }, (_, seat) => (seat === me ? futures : []))
      const state = begun(punters, settings, own)
      const dialogue: DialogueLine[] = [
        { told: setupMessages(state)[me]! },
        { answered: { ready: me, futures } as Answer },
      ]
      for (let at = 0; !isOver(state); at++) {
        const mine = turnOf(state) === me
        if (mine) dialogue.push({ told: { type: 'move', moves: lastMoves(state) } })
        if (mine) expect(told(playerViewFrom(dialogue)!.view)).toEqual(told(viewOf(state, me)))
        const next = moves[at] ?? { pass: {} }
        const previewed = mine ? previewMove(playerViewFrom(dialogue)!, next) : null
        const before = scoreOf(state.punters[me]!)
        plays(state, next)
        if (previewed === null) continue
        expect(previewed).toEqual({
          refusal: state.punters[me]!.refused,
          gain: scoreOf(state.punters[me]!) - before,
        })
        dialogue.push({ answered: next })
        expect(playerViewFrom(dialogue)!.view.rivers).toEqual(viewOf(state, me).rivers)
      }
      dialogue.push({ told: stopMessage(state, me) })
      const known = playerViewFrom(dialogue)!
      expect(known.view.rivers).toEqual(viewOf(state, me).rivers)
      expect(known.scores).toEqual(state.punters.map((punter, seat) => ({ punter: seat, score: scoreOf(punter) })))
      expect(known.moves).toHaveLength(state.moves)
      expect(rules.outcome(known.state)).not.toBeNull()
    }),
  )
})

test('a turn that timed out was a pass, whatever was answered too late', () => {
  const state = begun(2, { map: pathMap(4) })
  const dialogue: DialogueLine[] = [
    { told: setupMessages(state)[0]! },
    { told: { type: 'move', moves: lastMoves(state) } },
  ]
  dialogue.push({ answered: claim(0, 1) })
  expect(playerViewFrom(dialogue)!.view.rivers).toHaveLength(1)
  passesOn(state)
  dialogue.push({ told: { type: 'move', moves: lastMoves(state) } })
  expect(playerViewFrom(dialogue)!.view.rivers).toEqual([])
})

test('futures are previewed with what each is worth', () => {
  const state = begun(2, { map: pathMap(3), futures: true })
  const { futures, notes } = previewFutures({ state }, [
    { source: 0, target: 3 },
    { source: 1, target: 2 },
  ])
  expect(futures).toMatchObject([{ mine: 0, target: 3, worth: 27 }])
  expect(notes).toEqual(['The future from 1 to 2 is passed over: 1 is no mine.'])
})
