import { expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { cows } from '../../../main/referees/cows/cows.ts'
import type { Message } from '../../../main/referees/cows/messages.ts'
import { createTable } from '../../../main/worker/table.ts'
import { drawn } from './stage.ts'

const game = eraseGame(cows)

test('a body that has gone is asked in ten more steps; where all have gone, one that comes back is asked in the next step', async () => {
  const config = drawn(['a...', '.#..', '..#A', '..c#'], { steps: 20 })
  const seats = game.seats(config, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const seat0: ((event: PlayerEvent) => void)[] = []
  /** Steps in which each seat was asked. */
  const asked: [number[], number[]] = [[], []]
  const table = createTable({
    seats,
    seed: '0'.repeat(64),
    seeds: 'hmac',
    log: {
      input(_at, _audience, input) {
        if ((input as { step: number }).step === 15) seat0[0]!({ type: 'joined' })
      },
      fault: () => undefined,
      console: () => undefined,
    },
    seatPlayer({ id }, emit) {
      if (id === 0) seat0.push(emit)
      return {
        ready: () => Promise.resolve(),
        ask(question, value) {
          const message = value as Message
          if (message.type === 'start') {
            emit({ type: 'answer', to: question, value: { ready: true }, tookMs: 0 })
            return
          }
          asked[id as 0 | 1].push(message.step)
          // Its connection is lost in step 2, and until it is back no question reaches it.
          if (message.step === 2) emit({ type: 'left' })
          if (message.step < 2 || message.step > 15)
            emit({ type: 'answer', to: question, value: { action: 'skip' }, tookMs: 0 })
          else emit({ type: 'fault', to: question, fault: { kind: 'timeout', text: 'No answer.' }, gone: false })
        },
        tell: () => undefined,
        withdraw: () => undefined,
        close: () => undefined,
      }
    },
  })
  await table.ready()
  await game.conduct(table, config, '0'.repeat(64), { startMs: 60_000, moveMs: 5 })
  table.close()
  const first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  expect(asked[1]).toEqual(first)
  // It came back when step 15 had been played; step 16 hears of it.
  expect(asked[0]).toEqual([...first, 17, 18, 19])
})
