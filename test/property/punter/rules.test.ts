import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Input } from '../../../main/referees/punter/input.ts'
import { readCourse, type Course } from '../../../main/referees/punter/course.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, scoreOf, turnOf, type State } from '../../../main/referees/punter/state.ts'
import { begun, completed, mapText, seatsOf } from '../../unit/punter/stage.ts'

const SITES = 7
const site = fc.nat({ max: SITES })
const map = fc
  .record({
    rivers: fc.array(fc.tuple(fc.nat({ max: SITES - 1 }), fc.nat({ max: SITES - 1 })), { minLength: 1, maxLength: 16 }),
    mines: fc.uniqueArray(fc.nat({ max: SITES - 1 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ rivers, mines }) => mapText([...Array(SITES).keys()], rivers, mines))
const ends = fc.record({ source: site, target: site })
const move = fc.oneof(
  ends.map((claim) => ({ claim })),
  ends.map((option) => ({ option })),
  fc.array(site, { maxLength: 5 }).map((route) => ({ splurge: { route } })),
  fc.constant({ pass: {} }),
)
type Deed = { readonly type: 'move'; readonly move: never } | { readonly type: 'fault'; readonly gone: boolean }
const deeds = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: move.map((given) => ({ type: 'move', move: given })) },
    { weight: 1, arbitrary: fc.nat({ max: 5 }).map((die) => ({ type: 'fault', gone: die === 0 })) },
  ) as fc.Arbitrary<Deed>,
  { maxLength: 40 },
)
const matches = fc.record({
  settings: fc.record({ map, splurges: fc.boolean(), options: fc.boolean(), maxTimeouts: fc.constant(2) }),
  punters: fc.integer({ min: 1, max: 4 }),
  futures: fc.array(fc.array(ends, { maxLength: 3 }), { maxLength: 4 }),
  deeds,
})

function inputOf(state: State, deed: Deed): Input {
  const seat = turnOf(state)
  return deed.type === 'move' ? { ...deed, seat } : { ...deed, seat, fault: { kind: 'timeout', text: 'late' } }
}

/** The definition of section 3, by searching anew. */
function searched(state: State, seat: number): number {
  const { course, owners, holders, punters } = state
  const own = course.rivers.filter((_, river) => owners[river] === seat || holders[river] === seat)
  const joined = (mine: number): ReadonlySet<number> => {
    const found = new Set([mine])
    for (let before = 0; before < found.size;) {
      before = found.size
      for (const { source, target } of own) {
        if (found.has(source)) found.add(target)
        if (found.has(target)) found.add(source)
      }
    }
    return found
  }
  const rivers = course.mines.map((mine) => [...joined(mine)].reduce((sum, at) => sum + way(course, mine, at) ** 2, 0))
  const bets = punters[seat]!.futures.map(({ mine, target }) => {
    const distance = way(course, mine, target)
    if (distance === -1) return 0
    return joined(mine).has(target) ? distance ** 3 : -(distance ** 3)
  })
  return [...rivers, ...bets].reduce((sum, each) => sum + each, 0)
}

/** The length of the shortest way, by relaxing every river again and again. */
function way({ ids, rivers }: Course, from: number, to: number): number {
  const lengths = ids.map((_, at) => (at === from ? 0 : Infinity))
  for (let pass = 0; pass < ids.length; pass++) {
    for (const { source, target } of rivers) {
      lengths[source] = Math.min(lengths[source]!, lengths[target]! + 1)
      lengths[target] = Math.min(lengths[target]!, lengths[source]! + 1)
    }
  }
  return lengths[to] === Infinity ? -1 : lengths[to]!
}

test('scores are what section 3 says, however the rivers came together', () => {
  fc.assert(
    fc.property(matches, ({ settings, punters, futures, deeds: all }) => {
      const state = begun(punters, { ...settings, futures: true }, futures)
      for (const deed of all) {
        if (isOver(state)) break
        expect(rules.apply(state, inputOf(state, deed))).toBeNull()
      }
      expect(state.punters.map(scoreOf)).toEqual(state.punters.map((_, seat) => searched(state, seat)))
    }),
  )
})

test('a saved match goes on like the one that was saved', () => {
  fc.assert(
    fc.property(matches, fc.nat({ max: 40 }), ({ settings, punters, futures, deeds: all }, at) => {
      const config = completed({ ...settings, futures: true })
      let copy: State | null = null
      const state = begun(punters, { ...settings, futures: true }, futures)
      for (const [number, deed] of all.entries()) {
        if (isOver(state)) break
        if (number === at)
          copy = rules.load(JSON.parse(JSON.stringify(rules.save(state))) as never, config, seatsOf(punters))
        const input = inputOf(state, deed)
        rules.apply(state, input)
        if (copy !== null) rules.apply(copy, input)
      }
      if (copy === null) return
      expect(rules.save(copy)).toEqual(rules.save(state))
      expect(rules.view(copy, 'panel')).toEqual(rules.view(state, 'panel'))
    }),
  )
})

test('a refused input changes nothing', () => {
  fc.assert(
    fc.property(matches, fc.nat({ max: 5 }), ({ settings, punters, deeds: all }, seat) => {
      const state = begun(punters, settings)
      for (const deed of all) {
        if (isOver(state)) return
        const before = rules.save(state)
        const input = { ...inputOf(state, deed), seat }
        if (rules.apply(state, input) !== null) expect(rules.save(state)).toEqual(before)
      }
    }),
  )
})

test('any text is a map or has a problem', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (text, repair) => {
      const found = readCourse(text, repair)
      expect('problems' in found ? found.problems.length : found.course.rivers.length).toBeGreaterThan(0)
    }),
  )
})
