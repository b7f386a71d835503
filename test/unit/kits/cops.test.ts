import { expect, test } from 'vitest'
import baby from '../../../agents/cops/baby.ts'
import house from '../../../agents/cops/house.ts'
import { madeTown, playTown, type CopsPackage } from '../agents-cops/played-town.ts'
import { classOf, firstAgent, lessonsOf, statedFigures, withLessons } from './lessons.ts'

/** The agent of the kit for JavaScript after some lessons. */
const after = (lessons: number): CopsPackage =>
  classOf(withLessons(firstAgent('cops', 'javascript/agent.cjs'), lessonsOf('cops').slice(0, lessons)), () => 0)

const towns = ['a', 'b', 'c', 'd'].map(madeTown)
/** In how many of the towns the robber is caught, and what it gets in the others. */
function results(robber: CopsPackage, cop: CopsPackage) {
  const all = towns.map((map) => playTown(robber, cop, map))
  const free = all.filter(({ caught }) => !caught)
  return { caught: all.length - free.length, loot: free.reduce((sum, { loot }) => sum + loot, 0) }
}

test('there are two lessons for the robber and two for the cop', () => {
  expect(lessonsOf('cops').map((pieces) => pieces.map(({ method }) => method))).toEqual([
    ['worth'],
    ['worth'],
    ['hope'],
    ['suspect', 'tell', 'hear'],
  ])
})

test('the robber gets away from the house after one lesson, and with money after two', () => {
  const [none, one, two] = [0, 1, 2].map((lessons) => results(after(lessons), house))
  expect(none).toEqual({ caught: 4, loot: 0 })
  expect(one!.caught).toBeLessThan(2)
  expect(two!.loot).toBeGreaterThan(5 * one!.loot)
  // It robs more from the baby's cops than their own robber does.
  expect(results(after(2), baby).loot).toBeGreaterThan(results(baby, baby).loot + 10_000)
})

test('the cops catch the robber of the house after three lessons, and more often after four', () => {
  const [two, three, four] = [2, 3, 4].map((lessons) => results(house, after(lessons)).caught)
  expect(two).toBe(0)
  expect(three).toBeGreaterThanOrEqual(2)
  expect(four).toBe(4)
  expect(results(baby, after(4)).caught).toBe(4)
})

test('the page states the figures of the lessons', () => {
  const rows = [0, 1, 2, 3, 4].map((lessons) => {
    const [robber, cops] = [results(after(lessons), house), results(house, after(lessons))]
    return [robber.caught, robber.loot, cops.caught, cops.loot]
  })
  expect(statedFigures('cops')).toEqual(rows)
})
