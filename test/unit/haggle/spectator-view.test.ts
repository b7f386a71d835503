import { expect, test } from 'vitest'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import { rules } from '../../../main/referees/haggle/rules.ts'
import { spectatorView } from '../../../main/referees/haggle/narration/narrator.ts'

/** The spectators' view when both sides demand things, with these values of the objects. */
function told(values: readonly [readonly number[], readonly number[]], seed: number): readonly unknown[] {
  const config = haggle.config.parse({ seed })
  const state = { ...rules.initial(config, [], '1'.repeat(64)), counts: [2, 1, 3], values }
  const seen: unknown[] = [spectatorView.ground(config), structuredClone(spectatorView.scene(state))]
  const demands = [
    [2, 1, 0],
    [0, 1, 3],
    [2, 0, 1],
  ]
  for (const [turn, value] of demands.entries()) {
    const input = { type: 'answer', seat: turn % 2, value } as const
    const lines = spectatorView.input(state, ['Ann', 'Ben'])
    expect(rules.apply(state, input)).toBeNull()
    seen.push(lines(input), structuredClone(spectatorView.scene(state)))
  }
  return seen
}

test('spectators are told the same, whatever the objects are worth', () => {
  const one = told(
    [
      [1, 2, 2],
      [5, 0, 0],
    ],
    1,
  )
  expect(
    told(
      [
        [0, 4, 2],
        [2, 3, 1],
      ],
      2,
    ),
  ).toEqual(one)
  expect(JSON.stringify(one)).toContain('Ann wants 2 books and 1 hat and leaves Ben 3 balls.')
})
