import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import {
  doubleRoundRobinSettings,
  type DoubleRoundRobin,
  type RoundRobin,
} from '../../../contract/contests/format-settings.ts'
import { roundRobin } from './round-robin.ts'

const twice = (settings: DoubleRoundRobin): RoundRobin => ({ ...settings, type: 'round-robin', repeats: 2 })

/** A round-robin whose matches are played twice, the second time with the seats moved by one. */
export const doubleRoundRobin: ContestFormat<DoubleRoundRobin> = {
  id: 'double-round-robin',
  settings: doubleRoundRobinSettings,
  forNewContests: roundRobin.forNewContests!,
  tableSize: (settings, entrants) => roundRobin.tableSize(twice(settings), entrants),
  fault: (settings, entrants) => roundRobin.fault?.(twice(settings), entrants) ?? null,
  withdrawal: (settings, played) => roundRobin.withdrawal!(twice(settings), played),
  stages: (settings, entrants) => roundRobin.stages(twice(settings), entrants),
  next: ({ settings, ...contest }, results, pairings) =>
    roundRobin.next({ ...contest, settings: twice(settings) }, results, pairings),
}
