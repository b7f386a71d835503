import { expect, test } from 'vitest'
import { plays, type Heard } from '../../conformance/cows/client.ts'
import { openStage, users } from '../../conformance/cows/stage.ts'
import { repeats } from '../../long.ts'

/** A number below `below`, the same in every run. */
function chance(state: { value: number }, below: number): number {
  state.value = (Math.imul(state.value, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state.value / 2 ** 32) * below)
}

test('clients that drop, come back, keep silent, answer twice and talk nonsense play match after match to its end', async () => {
  const dice = { value: 7 }
  const steps = 60
  for (let round = 0; round < repeats({ short: 1, long: 25 }); round++) {
    const stage = await openStage({ simulations: [{ steps }, { steps, profile: 'server-2008' }], timeoutMs: 40 })
    /** One user, over as many connections as it takes. */
    const lives = async (user: string, dropsMost: number): Promise<Heard[]> => {
      const all: Heard[] = []
      for (let drops = 0; all.at(-1)?.type !== 'bye'; drops++) {
        const client = await stage.come(user).catch(() => null)
        // It came back when the match was over.
        if (client === null) break
        const heard = await plays(client, ({ attributes: { id } }) => {
          const luck = chance(dice, 40)
          if (luck === 0 && drops < dropsMost) client.end()
          if (luck === 1) return null
          if (luck === 2) client.say('<message type="action"><action id="')
          if (luck === 3) client.act(id, 'north')
          if (luck === 4) client.ping('still here')
          if (luck === 5) client.act(String(Number(id) - 1), 'east')
          return ['north', 'east', 'south', 'west', 'skip'][luck % 5]!
        })
        all.push(...heard)
      }
      return all
    }
    const heard = await Promise.all(users.map((user, at) => lives(user, at === 0 ? 12 : 3)))
    const result = await stage.result
    expect(result?.simulations.map((simulation) => simulation.steps)).toEqual([steps, steps])
    for (const messages of heard) {
      expect(messages.filter(({ type }) => type === 'pong').length).toBeLessThan(60)
      const ids = messages.flatMap(({ type, attributes }) =>
        type === 'request-action' ? [Number(attributes['id'])] : [],
      )
      // Each request is put once at most, in order.
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
      expect(ids.at(-1)).toBeLessThanOrEqual(2 * steps)
    }
  }
})
