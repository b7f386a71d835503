import { expect, test } from 'vitest'
import { standingsLines } from '../../../main/cli/standings.ts'
import type { Terminal } from '../../../main/cli/terminal.ts'

test('the table says how often an agent was removed, beside how many faults it had', () => {
  const terminal = { paint: (_color: string, text: string) => text } as unknown as Terminal
  const lines = standingsLines(terminal, [
    { rank: 1, agent: 'ada', points: 3, matches: 4, wins: 3, removals: 0, faults: 1 },
    { rank: 2, agent: 'ben', points: 1.5, matches: 4, wins: 1, removals: 2, faults: 12 },
  ])
  expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
    ['rank', 'agent', 'points', 'matches', 'wins', 'removed', 'faults'],
    ['1', 'ada', '3.0', '4', '3', '0', '1'],
    ['2', 'ben', '1.5', '4', '1', '2', '12'],
  ])
})
