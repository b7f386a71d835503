import { describe, expect, test } from 'vitest'
import { placedLabels } from '../../../renderer/games/cops/labels.ts'
import { cornerAt, layoutOf, type DrawnWorld } from '../../../renderer/games/cops/layout.ts'
import {
  arrowsOf,
  drawnClaims,
  robotsOf,
  sizesOf,
  streetPaths,
  townLabels,
  cornerWords,
  shownEvidence,
} from '../../../renderer/games/cops/town-drawing.ts'
import { fitting } from '../../../renderer/parts/map/camera.ts'
import { pointBeside } from '../../../renderer/parts/map/directions.ts'

/** A row of four corners; cars may go from c to d only, and from a to d by a shortcut. */
const layout = layoutOf({
  nodes: [
    { loc: 'a', tag: 'hq', x: 10, y: 5 },
    { loc: 'b', tag: 'bank', x: 20, y: 5 },
    { loc: 'c', tag: 'ordinary', x: 30, y: 5 },
    { loc: 'd', tag: 'robber-start', x: 40, y: 25 },
  ],
  edges: [
    { from: 'a', to: 'b', type: 'foot' },
    { from: 'b', to: 'a', type: 'foot' },
    { from: 'c', to: 'd', type: 'foot' },
    { from: 'a', to: 'd', type: 'car' },
    { from: 'd', to: 'a', type: 'car' },
  ],
})
const room = { width: 640, height: 440 }
const camera = fitting(layout.extent, room, 20)
const cop = (seat: number, loc: string) => ({ seat, loc, ptype: 'cop-foot', smell: null, evidence: null }) as const
const world: DrawnWorld = {
  names: ['Fox', 'Ann', 'Ben'],
  robber: 'c',
  banks: [{ loc: 'b', value: 1_000 }],
  evidence: null,
  cops: [cop(1, 'a'), { ...cop(2, 'a'), ptype: 'cop-car', smell: 1, evidence: [{ loc: 'b', world: 8 }] }],
}

test('a town is laid out from 0, 0 on; a street in two directions is one', () => {
  expect(layout.extent).toEqual({ x: 30, y: 20 })
  expect(layout.streets.map(({ from, to, type, oneWay }) => `${from.loc}${to.loc} ${type} ${oneWay}`)).toEqual([
    'ab foot false',
    'cd foot true',
    'ad car false',
  ])
  expect(streetPaths(layout.streets).streets).toBe('M0 0L10 0M20 0L30 20')
  // Only the street in one direction has an arrow, and none has where there is no room for them.
  expect(arrowsOf(layout.streets, 'foot', camera, 6).match(/M/g)).toHaveLength(1)
  expect(arrowsOf(layout.streets, 'car', camera, 6)).toBe('')
  expect(sizesOf(layout, { ...camera, scale: 0.1 }).arrow).toBe(0)
})

test('a pointer finds the nearest corner, arrow keys the next one in their direction', () => {
  expect(cornerAt(layout.corners, { x: 9, y: 1 }, 2)).toBe(1)
  expect(cornerAt(layout.corners, { x: 5, y: 5 }, 2)).toBeNull()
  expect(pointBeside(layout.corners, 0, 'right')).toBe(1)
  expect(pointBeside(layout.corners, 0, 'left')).toBe(0)
  expect(pointBeside(layout.corners, 2, 'down')).toBe(3)
})

test('robots that share a corner stand around it, each other apart', () => {
  const robots = robotsOf(layout, world, camera, 10)
  expect(robots.map(({ seat, car }) => `${seat} ${car}`)).toEqual(['0 false', '1 false', '2 true'])
  const [robber, ann, ben] = robots
  expect(robber).toMatchObject({ x: camera.left + 20 * camera.scale, y: camera.top })
  expect(Math.hypot(ann!.x - ben!.x, ann!.y - ben!.y)).toBeGreaterThan(20)
  // The mover is named only if it is another brain.
  const moved = {
    ...world,
    cops: [
      { ...cop(1, 'a'), controller: 1 },
      { ...cop(2, 'b'), controller: 1, dirty: true },
    ],
  }
  expect(robotsOf(layout, moved, camera, 10).map(({ controller, dirty }) => `${controller} ${dirty}`)).toEqual([
    'null false',
    'null false',
    '1 true',
  ])
})

test('claims about one corner share a disc, each with its own certainty; what is denied is crossed out', () => {
  const said = drawnClaims(
    layout,
    [
      { seat: 1, loc: 'c', certainty: 100 },
      { seat: 2, loc: 'c', certainty: 10 },
      { seat: 2, loc: 'd', certainty: -100 },
      { seat: 2, loc: 'nowhere', certainty: 50 },
    ],
    camera,
    10,
  )
  expect(said.map(({ loc, denies }) => `${loc} ${denies}`)).toEqual(['c false', 'c false', 'd true'])
  expect(said[0]!.opacity).toBeGreaterThan(0.8)
  expect(said[1]!.opacity).toBeLessThan(0.25)
  expect(said[0]!.path).not.toBe(said[1]!.path)
})

describe('labels', () => {
  const label = (key: string, x: number, text = 'name') => ({ key, at: { x, y: 50 }, text, clear: 5 })

  test('go to the first free side of their point, and are left out where there is none', () => {
    const marks = [{ left: 110, top: 40, right: 400, bottom: 60 }]
    const placed = placedLabels([label('first', 90), label('second', 92), label('outside', -5)], marks, {
      width: 120,
      height: 90,
    })
    expect(placed.map(({ key }) => key)).toEqual(['first', 'second'])
    // The right is taken by the mark: above, and then, as that is taken, below.
    expect(placed[0]!.y).toBeLessThan(45)
    expect(placed[1]!.y).toBeGreaterThan(55)
    expect(placedLabels([label('long', 50, 'a name that is wider than the room')], [], room)).toHaveLength(1)
    expect(
      placedLabels([label('long', 50, 'a name that is wider than the room')], [], { width: 120, height: 90 }),
    ).toEqual([])
  })

  test('say money and names; ordinary corners are named where somebody is, and when the map is enlarged', () => {
    const texts = (scale: number, view: DrawnWorld | null) => {
      const near = { ...camera, scale }
      const own = sizesOf(layout, near)
      const robots = view === null ? [] : robotsOf(layout, view, near, own.robot)
      return townLabels(layout, view, robots, [], [], own, near, room).map(({ text }) => text)
    }
    expect(texts(1.5, null)).toEqual(['a', 'd', 'b'])
    expect(texts(1.5, world)).toContain('c')
    expect(texts(20, null)).toEqual(['a', 'd', 'b', 'c'])
    expect(texts(20, world)[0]).toBe('$1,000')
  })
})

test('a corner is told with its bank, who is there, evidence and claims', () => {
  const [hq, bank] = layout.corners
  expect(cornerWords(hq!, world, [])).toBe('a, headquarters · here: Ann on foot; Ben in a car, smells the robber at 1')
  expect(cornerWords(bank!, world, [{ seat: 1, loc: 'b', certainty: -100 }])).toBe(
    'b, a bank with $1,000 · evidence of world 8 · claimed: Ann -100 %',
  )
  expect(cornerWords(bank!, null, [])).toBe('b, a bank')
})

test('evidence of several cops is drawn once', () => {
  const found = [{ loc: 'b', world: 8 }]
  const cops = [
    { ...cop(1, 'a'), evidence: found },
    { ...cop(2, 'a'), evidence: found },
  ]
  expect(shownEvidence({ evidence: null, cops })).toEqual(found)
})
