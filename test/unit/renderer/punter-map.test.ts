import { describe, expect, test } from 'vitest'
import { courseOf } from '../../../main/referees/punter/config.ts'
import { fitting, onMap, onScreen, panned, showing, zoomed } from '../../../renderer/parts/map/camera.ts'
import { drawnFutures, riverWords, siteWords } from '../../../renderer/games/punter/map-painter.ts'
import { riverAt, riverBeside, siteAt, layoutOf } from '../../../renderer/games/punter/layout.ts'
import { additions } from '../../../renderer/games/punter/map-surface.ts'

const room = { width: 240, height: 140 }

/** 0 - 1 - 2 above 3 - 4 - 5, a square apart, with a mine at 0. */
const ids = [0, 1, 2, 3, 4, 5]
const ends = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]] as const // prettier-ignore
const map = JSON.stringify({
  sites: ids.map((id) => ({ id: id + 10, x: id % 3, y: Math.floor(id / 3) })),
  rivers: ends.map(([source, target]) => ({ source: source + 10, target: target + 10 })),
  mines: [10],
})
const layout = layoutOf(courseOf({ map, repair: false }))
const taken = (river: number, owner: number, holder: number | null = null) => ({
  river,
  owner,
  claimedAt: 4,
  holder,
  soldAt: holder === null ? null : 7,
})

describe('the camera of a map', () => {
  const fit = fitting(layout.extent, room, 20)

  test('shows all of it, in the middle', () => {
    expect(fit).toEqual({ scale: 200, left: 20, top: 20 })
    expect(onScreen(fit, { x: 1, y: 0.5 })).toEqual({ x: 220, y: 120 })
  })

  test('zooms around a point, which stays where it is, and not farther than all of the map', () => {
    const at = { x: 200, y: 100 }
    const near = zoomed(fit, 3, at, fit)
    expect(onMap(near, at)).toEqual(onMap(fit, at))
    expect(near.scale).toBe(600)
    expect(zoomed(near, 0.01, { x: 0, y: 0 }, fit)).toBe(fit)
    expect(zoomed(near, 1e9, at, fit).scale).toBe(64 * fit.scale)
  })

  test('pans, but keeps some of the map in its place, and follows the keyboard', () => {
    const near = zoomed(fit, 4, { x: 20, y: 20 }, fit)
    expect(panned(near, { x: -10, y: 5 }, layout.extent, room)).toMatchObject({ left: 10, top: 25 })
    const far = panned(near, { x: -1e6, y: 1e6 }, layout.extent, room)
    expect(onScreen(far, { x: 1, y: 0 })).toEqual({ x: 120, y: 70 })
    const shown = onScreen(showing(near, { x: 1, y: 0.5 }, layout.extent, room), { x: 1, y: 0.5 })
    expect(shown).toEqual({ x: 220, y: 120 })
    expect(showing(near, { x: 0.1, y: 0.1 }, layout.extent, room)).toBe(near)
  })
})

test('a pointer finds the nearest river and site, if they are near', () => {
  expect(riverAt(layout, { x: 0.2, y: 0.02 }, 0.05)).toBe(0)
  expect(riverAt(layout, { x: 0.25, y: 0.25 }, 0.05)).toBeNull()
  expect(siteAt(layout, { x: 0.98, y: 0.01 }, 0.05)).toBe(2)
  expect(siteAt(layout, { x: 0.75, y: 0 }, 0.05)).toBeNull()
})

test('arrow keys go from river to river', () => {
  expect(riverBeside(layout, 0, 'right')).toBe(1)
  expect(riverBeside(layout, 5, 'right')).toBe(6)
  expect(riverBeside(layout, 0, 'down')).toBe(2)
  expect(riverBeside(layout, 0, 'up')).toBe(0)
})

test('while a match is played forwards only new rivers are drawn; anything else draws all', () => {
  const drawn = new Map([[3, '1']])
  expect(additions(drawn, [taken(3, 1), taken(5, 0)])).toEqual([taken(5, 0)])
  expect(additions(drawn, [taken(3, 1)])).toEqual([])
  expect(additions(drawn, [taken(5, 0)])).toBeNull()
  expect(additions(drawn, [taken(3, 1, 0)])).toBeNull()
})

test('words tell who claimed what when, and the futures of a site', () => {
  const names = ['Anna', 'Ben']
  expect(riverWords(layout, 0, undefined, names)).toBe('River 10-11: free')
  expect(riverWords(layout, 2, taken(2, 1), names)).toBe('River 13-14: claimed by Ben in move 5')
  expect(riverWords(layout, 2, taken(2, 1, 0), names)).toBe(
    'River 13-14: claimed by Ben in move 5, option of Anna since move 8',
  )
  const bets = [{ source: 10, target: 15, worth: 27, kept: true }]
  const futures = drawnFutures(layout, [{ futures: null }, { futures: bets }])
  expect(futures).toEqual([{ seat: 1, mine: 0, target: 5, kept: true }])
  expect(siteWords(layout, 0, futures, names)).toBe('Mine 10; Ben bets on 10 to 15 and has joined them')
  expect(siteWords(layout, 1, futures, names)).toBe('Site 11')
})
