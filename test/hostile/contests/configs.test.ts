import process from 'node:process'
import { expect, test } from 'vitest'
import { config } from '../../../main/referees/haggle/config.ts'
import { scenariosOf } from '../../../main/referees/haggle/scenario.ts'
import { config as punterConfig } from '../../../main/referees/punter/config.ts'
import { saying } from '../../refusal.ts'

const sizes = (types: number, maxObjects: number, totalValue: number) => ({
  types,
  minObjects: 1,
  maxObjects,
  totalValue,
})

test.each([
  [2, 100, 1_999_998],
  [3, 100, 90_000],
  [4, 85, 2_900],
  [4, 80, 2_900],
])('a config whose sets would take minutes is refused at once: %i types, %i objects, $%i', (...numbers) => {
  const started = performance.now()
  expect(scenariosOf({ ...sizes(...numbers), generator: 'original' })).toEqual(saying(...numbers, 'too many sets'))
  expect(config.safeParse(sizes(...numbers)).error?.issues[0]?.message).toEqual(saying(...numbers, 'too many sets'))
  // Over a minute without a bound on the work; about a second with it, on an idle machine.
  expect(performance.now() - started).toBeLessThan(15_000)
})

test('the valuations of many large scenarios do not pile up', () => {
  const found = scenariosOf({ ...sizes(2, 4, 1_000_000), generator: 'original' })
  if (typeof found === 'string') throw new Error(found)
  const before = process.memoryUsage().arrayBuffers
  for (let seed = 1; seed <= 60; seed++) found.scenario(seed)
  // One table is 24 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(400_000_000)
  expect(found.scenario(1)).toEqual(found.scenario(1))
})

test('a map of Lambda Punter on which every site is a mine, with rivers to most others, is refused before ways are searched', () => {
  const sites = Array.from({ length: 1_000 }, (_, id) => ({ id }))
  const rivers = sites.flatMap(({ id: source }) =>
    sites.slice(source + 1).map(({ id: target }) => ({ source, target })),
  )
  const map = JSON.stringify({ sites, rivers, mines: sites.map(({ id }) => id) })
  const started = performance.now()
  expect(punterConfig.safeParse({ map }).error?.issues[0]?.message).toEqual(
    saying('too large', 'mines', 'sites', 'rivers'),
  )
  // About 10 s without a bound on the work, on an idle machine.
  expect(performance.now() - started).toBeLessThan(10_000)
})
