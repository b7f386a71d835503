import { afterAll, expect, test } from 'vitest'
import { cows } from '../../../main/referees/cows/cows.ts'
import type { Input } from '../../../main/referees/cows/input.ts'
import { openPlace, shipped } from '../network/contest.ts'
import { plays, signedIn, type Heard } from './client.ts'
import { saying } from '../../refusal.ts'

const place = openPlace()
afterAll(() => place.remove())

test('clients of 2008 play a tournament in an arena over one sign-in, against a script; what they were told is in the histories', async () => {
  const heard: Promise<Heard[]>[] = []
  const ran = await place.run(
    'cows',
    { anna: null, baby: shipped('cows', 'baby') },
    {
      contest: {
        format: { type: 'game', name: 'tournament', settings: { maps: ['small', 'small', 'small'], matches: 1 } },
      },
      arena: { native: { host: '127.0.0.1', port: 0 } },
      async come({ native, credentials }) {
        expect(native!.guide).toEqual(saying('password', 'credential'))
        for (const { entrant, line, credential } of credentials) {
          const user = line === 0 ? entrant : `${entrant} (post ${line})`
          const client = await signedIn(native!.address, user, credential)
          heard.push(
            plays(client, ({ attributes: { step } }) => ['east', 'north', 'skip', 'west'][(Number(step) + line) % 4]!),
          )
        }
      },
    },
  )
  const messages = await Promise.all(heard)
  expect(messages).toHaveLength(6)
  const simulation = `sim-start ${'request-action '.repeat(20)}sim-end`
  for (const each of messages)
    expect(each.map(({ type }) => type).join(' ')).toBe(`${simulation} ${simulation} ${simulation} bye`)
  // Every history has been verified by now.
  expect(ran.report.matches).toEqual({ total: 3, played: 3, void: 0 })
  for (const [at, { header, inputs, faults }] of ran.matches.entries()) {
    expect(faults).toEqual([])
    const seat = header.seats.findIndex(({ name }) => name === 'anna')
    expect(header.seats[seat]?.elsewhere).toBe(true)
    // Corrals are swapped from one simulation to the next.
    expect(seat).toBe(at % 2)
    for (const [step, input] of (inputs as unknown as Input[]).entries()) {
      const expected = [0, 1, 2, 3, 4, 5].map((body) => ['east', 'north', 'skip', 'west'][(step + body) % 4])
      expect(cows.input.parse(input).actions[seat]).toEqual(expected)
    }
  }
})
