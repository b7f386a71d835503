import { describe, expect, test } from 'vitest'
import { readChallenge, surveyChallenge } from '../../../grammars/challenges/index.ts'
import type { Picture } from '../../../grammars/challenges/index.ts'
import { describePicture } from '../../../grammars/challenges/pictures/describe-picture.ts'
import type { Json } from '../../../grammars/json.ts'
import { sceneOf } from '../../../renderer/parts/picture/scene.ts'
import { tableOf } from '../../../renderer/parts/picture/table-of.ts'
import { saying, type Fact } from '../../refusal.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from './shipped.ts'

function drawn(source: string, instance: Json, solution: Json | null, settings: Json = {}): Picture {
  const challenge = challengeOf(source)
  const result = challenge.picture!(accepted(challenge.config(settings)).value, instance, solution)
  if (!result.ok) throw new Error(result.error)
  return result.picture
}

const shape = (word: string, places: readonly (string | number)[], looks: object = {}) => ({
  ...{ word, places, label: null, colour: 0, mark: false },
  ...looks,
})

const triangle = { vertices: 3, edges: [1, 1, 2].map((a, at) => ({ a, b: [2, 3, 3][at]! })) }

test('a graph: names, edges, colours and marks are what the formulas say', () => {
  expect(drawn(sourceOf('graph-colouring'), triangle, { colours: [1, 2, 1] })).toEqual({
    kind: 'graph',
    left: 0,
    shapes: [
      shape('node', ['1'], { colour: 1 }),
      shape('node', ['2'], { colour: 2 }),
      shape('node', ['3'], { colour: 1 }),
      shape('edge', ['1', '2']),
      shape('edge', ['1', '3'], { mark: true }),
      shape('edge', ['2', '3']),
    ],
  })
})

test('without a solution everything is left out that mentions it, and nothing else', () => {
  const graph = drawn(sourceOf('graph-colouring'), triangle, null)
  expect(graph.shapes).toHaveLength(6)
  expect(graph.shapes.every(({ colour, mark }) => colour === 0 && !mark)).toBe(true)
  // All of its bars stand in a loop over the solution.
  expect(drawn(sourceOf('job-scheduling'), { speeds: [1], jobs: [2] }, null).shapes).toEqual([])
  const words = { a: ['x', 'y'], b: ['y'] }
  const bare = drawn(sourceOf('longest-common-subsequence'), words, null)
  expect(bare.shapes.map(({ word, label }) => [word, label])).toEqual([
    ['letter', 'x'],
    ['letter', 'y'],
    ['letter', 'y'],
  ])
})

test('bars on a time line begin where those of the machine before them end, exactly divided by its speed', () => {
  const chart = drawn(sourceOf('job-scheduling'), { speeds: [2, 1], jobs: [3, 4, 5] }, { machines: [1, 2, 1] })
  expect(chart.shapes.map(({ places, label }) => [...places, label])).toEqual([
    ['1', 0, 1.5, '1'],
    ['1', 1.5, 4, '3'],
    ['2', 0, 4, '2'],
  ])
})

test('in words: the whole in one line, then each thing, then how many are left out', () => {
  const graph = drawn(sourceOf('graph-colouring'), triangle, { colours: [1, 2, 1] })
  expect(describePicture(graph)).toEqual([
    'Graph: 3 vertices, 3 edges.',
    'Vertex 1, colour 1.',
    'Vertex 2, colour 2.',
    'Vertex 3, colour 1.',
    'Edge from 1 to 2.',
    'Edge from 1 to 3, marked.',
    'Edge from 2 to 3.',
  ])
  expect(describePicture({ ...graph, left: 7 }).at(-1)).toContain('7 more')
})

/** Number partition with another picture. */
const pictured = (picture: string): string =>
  sourceOf('number-partition').replace(/\npicture [^]*?\n\}\n/, `\npicture ${picture}\n`)

test.each<[string, ...Fact[]]>([
  ['pie { bar 1 }', '"pie"', 'graph, grid, table, bars, gantt, alignment'],
  ['bars { node 1 }', '"node"', 'bars', 'bar'],
  ['gantt { bar 1, 2 }', '"bar"', '3', '2'],
  ['bars { bar "long" }', '"bar"', 'a number', 'text'],
  ['grid { cell 1, 1/2 }', 'a whole number', 'number'],
  ['bars { bar 1 colour "red" }', 'colour', 'text'],
  ['bars { bar 1 mark 1 }', 'mark', 'true or false', 'int'],
  ['bars { bar 1 label 1 label 2 }', 'label'],
  ['bars { bar predicate.numbers[1] }', '"predicate"'],
  ['bars { for n in instance.number { bar n label n colour n } }', '"number"', 'numbers'],
  [`bars { ${'bar 1 '.repeat(41)} }`, '40'],
])('%s is refused, once', (picture, ...facts) => {
  const { problems } = readChallenge(pictured(picture))
  expect(problems).toHaveLength(1)
  expect(`${problems[0]!.message} ${problems[0]!.hint ?? ''}`).toEqual(saying(...facts))
})

test('a picture that an example shows to fail is an error of the file, at its formula', () => {
  const source = pictured('bars { for n at i in instance.numbers { bar instance.numbers[i + 1] } }')
  const { problems } = readChallenge(source)
  expect(problems.length).toBeGreaterThan(0)
  expect(source.slice(problems[0]!.at.offset, problems[0]!.at.offset + 7)).toContain('[i + 1]')
})

test('words of pictures are names everywhere else', () => {
  const source = sourceOf('number-partition').replace(
    /define heap\([^]*?\n/,
    `define heap(which: int, heaps: list of int, numbers: list of int) =
  sum(let colour = mark; colour for mark in [numbers[label] for picture at label in heaps where picture = which])\n`,
  )
  expect(readChallenge(source).problems).toEqual([])
})

test('drawing stops: at most 2,000 shapes are kept, the rest is counted; too many steps are said', () => {
  const numbers = { numbers: [1, 1] }
  const many = pictured('bars { for a in 1..60 { for b in 1..50 { bar a * b } } }')
  const { shapes, left } = drawn(many, numbers, null)
  expect([shapes.length, left]).toEqual([2_000, 1_000])
  const endless = pictured('bars { for a in 1..sum(instance.numbers) * 100000 { for b in 1..1000 { bar a } } }')
  expect(readChallenge(endless).problems[0]?.message).toContain('steps')
})

describe.each(SHIPPED)('%s', (name) => {
  test('has a picture, whose parts all lie within it', () => {
    const { survey } = surveyChallenge(sourceOf(name))
    const picture = survey.picture!
    expect(picture.shapes.length).toBeGreaterThan(0)
    expect(describePicture(picture).length).toBeGreaterThan(1)
    if (picture.kind === 'table') {
      const { head, rows } = tableOf(picture)
      expect(rows.flat().filter((cell) => cell !== null)).toHaveLength(picture.shapes.length - head.length)
      return
    }
    const { width, height, boxes, lines } = sceneOf(picture)
    expect(boxes.length + lines.length).toBeGreaterThanOrEqual(picture.shapes.length)
    for (const box of boxes) {
      expect(box.x >= 0 && box.x + box.width <= width + 2).toBe(true)
      expect(box.y >= 0 && box.y + box.height <= height + 2).toBe(true)
    }
    for (const { x1, x2, y1, y2 } of lines) {
      for (const x of [x1, x2]) expect(x >= 0 && x <= width).toBe(true)
      for (const y of [y1, y2]) expect(y >= 0 && y <= height).toBe(true)
    }
  })
})

test('numbers of any size leave a picture of finite size', () => {
  const far = [0, 1, 1e15, -1e15].map((row) => shape('cell', [row, row * 2])) as Picture['shapes']
  expect(sceneOf({ kind: 'grid', shapes: far, left: 0 })).toMatchObject({ width: 124, height: 124 })
  expect(tableOf({ kind: 'table', shapes: far, left: 0 }).rows).toHaveLength(3)
  for (const kind of ['graph', 'grid', 'bars', 'gantt', 'alignment'] as const) {
    const { width, height } = sceneOf({ kind, shapes: [], left: 0 })
    expect(Number.isFinite(width) && Number.isFinite(height)).toBe(true)
  }
})
