import { describe, expect, test } from 'vitest'
import { readCourse } from '../../../main/referees/punter/course.ts'
import { config } from '../../../main/referees/punter/config.ts'
import { mapText, SAMPLE } from './stage.ts'

const read = (text: string, repair = false) => readCourse(text, repair)
const problems = (text: string): readonly string[] => {
  const found = read(text)
  return 'problems' in found ? found.problems : []
}

describe('maps', () => {
  test('unknown fields, coordinates, sparse ids and several components are allowed', () => {
    const text = JSON.stringify({
      sites: [{ id: 9801, x: 1.5, y: -2, name: 'Junction' }, { id: 3, x: null }, { id: 40, x: '1', y: [] }, { id: 41 }],
      rivers: [
        { source: 3, target: 9801, osm: 7 },
        { source: 40, target: 41 },
      ],
      mines: [9801],
      other: { city: 'Oxford' },
    })
    const found = read(text)
    expect(found).toMatchObject({ course: { ids: [9801, 3, 40, 41], mines: [0] } })
    expect('course' in found && [...found.course.distances[0]!]).toEqual([0, 1, -1, -1])
  })

  test.each([
    ['a mine that is not a site', mapText([0, 1], [[0, 1]], [0, 5]), ['Mine 5 is not a site of the map.']],
    ['no mines', mapText([0, 1], [[0, 1]], []), ['The map has no mines: nobody could score.']],
    [
      'a dangling river',
      mapText(
        [0, 1],
        [
          [0, 1],
          [1, 8],
        ],
        [0],
      ),
      ['The river 1-8 leads to site 8, which does not exist.'],
    ],
    ['a site twice', mapText([0, 1, 1], [[0, 1]], [0]), ['Site 1 comes twice.']],
    ['no rivers', mapText([0, 1], [], [0]), ['The map has no rivers.']],
  ])('%s is a fault, told in a sentence', (_, text, told) => {
    expect(problems(text)).toEqual(told)
    expect(config.safeParse({ map: text }).error?.issues[0]).toMatchObject({ path: ['map'], message: told.join(' ') })
  })

  test.each([
    ['no JSON', '{', /^The map is not JSON: /],
    ['nothing', ' \n', /^The map is empty\.$/],
    ['no map', '[]', /^The map cannot be read: /],
    [
      'an id that is not a number',
      '{"sites":[{"id":"a"}],"rivers":[],"mines":[]}',
      /^The map cannot be read: sites\.0\.id: /,
    ],
  ])('%s cannot be read', (_, text, told) => {
    expect(problems(text)[0]).toMatch(told)
  })

  test('a map with faults is repaired where that is wanted', () => {
    const text = mapText(
      [0, 1, 1, 2],
      [
        [0, 1],
        [1, 2],
        [1, 8],
      ],
      [5],
    )
    expect(read(text, true)).toMatchObject({
      course: {
        ids: [0, 1, 2],
        rivers: [
          { source: 0, target: 1 },
          { source: 1, target: 2 },
        ],
        mines: [1],
      },
    })
    expect(read(mapText([0], [], []), true)).toMatchObject({
      problems: expect.arrayContaining(['The map has no rivers.']),
    })
  })

  test('a map with too many distances is refused before they are computed', () => {
    const sites = Array.from({ length: 5_000 }, (_, at) => at)
    expect(read(mapText(sites, [[0, 1]], sites), false)).toMatchObject({
      problems: ['The map is too large: mines times sites and rivers must not be more than 20,000,000.'],
    })
  })

  test('edition 1.0 has no extensions', () => {
    const found = config.safeParse({ map: SAMPLE, edition: '1.0', futures: true })
    expect(found.error?.issues).toMatchObject([{ path: ['futures'], message: 'edition 1.0 has no extensions' }])
  })
})
