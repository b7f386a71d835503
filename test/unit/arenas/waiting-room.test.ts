import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWaitingRoom } from '../../../main/arenas/haggle/lobby.ts'

test('whatever the order of coming and going: never oneself, never twice, nobody waits who could play', () => {
  const step = fc.record({ identity: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const room = createWaitingRoom<{ readonly identity: string; readonly number: number }>()
      let waiting: { readonly identity: string; readonly number: number }[] = []
      steps.forEach(({ identity, leaves }, number) => {
        if (leaves && waiting.length > 0) {
          const leaver = waiting[number % waiting.length]!
          room.leave(leaver)
          waiting = waiting.filter((player) => player !== leaver)
        }
        const player = { identity, number }
        const partner = room.enter(player)
        // The other client that has waited longest.
        expect(partner).toBe(waiting.find((other) => other.identity !== identity) ?? null)
        waiting = partner === null ? [...waiting, player] : waiting.filter((other) => other !== partner)
        expect(new Set(waiting.map((each) => each.identity)).size).toBeLessThanOrEqual(1)
      })
    }),
  )
})

test('a client that does not wait may leave', () => {
  const room = createWaitingRoom<{ readonly identity: string }>()
  room.leave({ identity: 'a' })
  expect(room.enter({ identity: 'b' })).toBeNull()
})
