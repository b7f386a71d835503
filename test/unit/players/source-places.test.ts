import { expect, test } from 'vitest'
import { placesOf, sourcePlaces, withOwnPlaces } from '../../../main/players/inside/source-places.ts'
import { ownSourceMap, withSourceMap } from '../../../main/services/packages/source-map.ts'

// Line 1 of the bundle: nothing. Line 2: column 1 is line 7 of main.ts, column 11 is line 3 of deep/other.ts. Line 3: line 4 of it.
const map = ownSourceMap(
  Buffer.from(
    JSON.stringify({
      version: 3,
      sources: ['../package/main.ts', '../package/deep/other.ts'],
      names: [],
      mappings: ';AAMA,UCJA;AACA',
    }),
  ),
)
const bundle = Buffer.from('"use strict";\nmain(); other()\nmore()\n')
const bundled = (linesBefore: number): string => Buffer.from(withSourceMap(bundle, map, linesBefore, 10_000)).toString()

test('a frame of a bundle is a line of the file of the package, with those that called it', () => {
  const places = sourcePlaces(bundled(0))
  expect([places?.at(1, 1), places?.at(2, 3), places?.at(2, 11), places?.at(3, 1)]).toEqual([
    null,
    { file: 'main.ts', line: 7 },
    { file: 'deep/other.ts', line: 3 },
    { file: 'deep/other.ts', line: 4 },
  ])
  const stack =
    'Error: at agent.js:3:1\n    at f (agent.js:2:12)\n    at f (agent.js:2:13)\n    at (realm:3:3)\n    at g (agent.js:2:2)'
  expect(placesOf(stack, places)).toBe('deep/other.ts, line 3, called from main.ts, line 7')
  expect(withOwnPlaces('at f (agent.js:2:12), agent.js:1:1', places!)).toBe('at f (deep/other.ts:3), agent.js:1:1')
})

test('lines before the bundle, such as the record of components, move the map', () => {
  expect(sourcePlaces(bundled(1))?.at(3, 11)).toEqual({ file: 'deep/other.ts', line: 3 })
})

test('a script that was not bundled has its own lines', () => {
  expect(placesOf('Error\n    at f (agent.js:4:1)\n    at agent.js:9:1', null)).toBe(
    'line 4 of its file, called from line 9',
  )
  expect(placesOf('agent.js:4:1', null)).toBeNull()
})

test('a map that does not fit is left out, and one that cannot be read is ignored', () => {
  expect(withSourceMap(bundle, map, 0, bundle.length + 10)).toEqual(bundle)
  const start = '//# sourceMappingURL=data:application/json;base64,'
  for (const text of ['', 'e30=', Buffer.from('{"sources":[],"mappings":1}').toString('base64'), '%%%'])
    expect(sourcePlaces(`${start}${text}`)).toBeNull()
  const hostile = Buffer.from(JSON.stringify({ sources: ['a\n\u202eb'], mappings: 'AAAA' })).toString('base64')
  expect(sourcePlaces(start + hostile)?.at(1, 1)).toEqual({ file: 'a??b', line: 1 })
})
