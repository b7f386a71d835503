import { describe, expect, test } from 'vitest'
import { bestKnownOf, exchanged, exchangeOf, formatNames, misfit } from '../../../grammars/challenges/formats/index.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { saying } from '../../refusal.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from './shipped.ts'
import { myciel3 } from './well-known.ts'

/** A challenge of a class: one that ships, under another name and with a section more. */
const own = (shipped: string, section: string): string =>
  sourceOf(shipped).replace(`challenge ${shipped} `, 'challenge my-own ').replace('\ngoal =', `\n${section}\n\ngoal =`)

/** The codes of the problems of a file, with the words at their places. */
const codes = (source: string): readonly (string | undefined)[] =>
  readChallenge(source).problems.map(({ code, at }) => `${code} ${/\S+/.exec(source.slice(at.offset))![0]}`)

describe('a challenge names its format', () => {
  test('the six that need not do so have the fields of theirs, and no other format fits them', () => {
    const fitting = SHIPPED.flatMap((name) =>
      formatNames
        .filter((format) => misfit(format, challengeOf(sourceOf(name)).values) === null)
        .map((format) => [name, format]),
    )
    expect(fitting.map(([name]) => name)).toEqual(exchanged.toSorted())
    expect(Object.fromEntries(fitting)).toEqual({
      'graph-colouring': 'dimacs-graph',
      'max-csp': 'course-csp',
      'max-sat': 'dimacs-cnf',
      'set-cover': 'or-library-scp',
      'travelling-salesman': 'tsplib',
      'vertex-cover': 'dimacs-graph',
    })
  })

  test('it reads and writes what the shipped one does; without the section it has no format', () => {
    const challenge = challengeOf(own('graph-colouring', 'format dimacs-graph'))
    const shipped = exchangeOf(challengeOf(sourceOf('graph-colouring')))!
    const read = exchangeOf(challenge)!.read(myciel3)
    if (!read.ok) throw new Error(read.problem.message)
    const same = shipped.read(myciel3)
    expect(read.material).toEqual({ ...(same.ok && same.material), notes: [], best: null })
    const settings = accepted(challenge.config(read.material.config)).value
    const predicate = accepted(challenge.predicate(settings, read.material.predicate!)).value
    expect(challenge.legal(settings, predicate, read.material.instance)).toBeNull()
    const written = exchangeOf(challenge)!.write(read.material.instance)
    expect(written).toEqual(shipped.write(read.material.instance))
    expect(exchangeOf(challenge)!.write(read.material.instance, 'tsp')).toEqual({
      ok: false,
      error: saying('my-own', 'col', 'tsp'),
    })
    expect(exchangeOf(challengeOf(own('graph-colouring', '')))).toBeNull()
  })

  test('best known measures count only where the file says that its measure is that of the collection', () => {
    const material = (section: string) => {
      const challenge = challengeOf(own('graph-colouring', section))
      const read = exchangeOf(challenge)!.read(myciel3)
      if (!read.ok) throw new Error(read.problem.message)
      const known = (colours: number) =>
        bestKnownOf(challenge, accepted(challenge.config({ colours })).value, read.material.instance, null)
      return [read.material.best, read.material.notes, known(4), known(3)]
    }
    const best = { name: 'myciel3', measure: 20, settings: { colours: 4 } }
    expect(material('format dimacs-graph best')).toEqual([best, [saying('myciel3', 20, 4)], best, null])
    expect(material('format dimacs-graph')).toEqual([null, [], null, null])
  })

  test('predicates and settings that it does not have are left out', () => {
    const source = own('travelling-salesman', 'format tsplib')
      .replace('  maxDistance = 100 in 1..1000000\n', '')
      .replaceAll('config.maxDistance', '1000')
    const read = exchangeOf(challengeOf(source))!.read(
      'DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\nEOF\n',
    )
    expect(read).toMatchObject({
      ok: true,
      material: { config: { maxCities: 3 }, predicate: { distances: [1, 2, 3] } },
    })
    expect(read.ok && Object.keys(read.material.config)).toEqual(['maxCities'])

    const without = exchangeOf(challengeOf(tiny('format dimacs-graph')))!.read('p edge 2 1\ne 1 2\n')
    expect(without).toMatchObject({
      ok: true,
      material: { predicate: null, config: {}, instance: { vertices: 2, edges: [{ a: 1, b: 2 }] } },
    })
  })
})

test.each([
  ['format dimax-graph', 'format-unknown dimax-graph'],
  ['format tsplib', 'format-fields tsplib'],
  ['format tsplib best', 'format-fields tsplib'],
])('%s is refused for graph-colouring', (section, code) => {
  expect(codes(own('graph-colouring', section))).toEqual([code])
})

test('without the setting on which a best known measure depends, none is known', () => {
  const read = exchangeOf(challengeOf(tiny('format dimacs-graph best')))!.read(myciel3)
  expect(read).toMatchObject({ ok: true, material: { config: {}, notes: [], best: null } })
})

test('a challenge that keeps the name of a shipped one and not its fields has no format', () => {
  const source = tiny('').replace('challenge tiny', 'challenge graph-colouring').replaceAll('vertices', 'nodes')
  expect(exchangeOf(challengeOf(source))).toBeNull()
})

test('raw material that no agent should have sent is not known, and nothing is thrown', () => {
  const challenge = challengeOf(sourceOf('graph-colouring'))
  const config = accepted(challenge.config({ colours: 4 })).value
  const odd: readonly Json[] = [null, {}, { vertices: 11, edges: [] }, { vertices: 11, edges: 'x' }, [], 7]
  expect(odd.map((instance) => bestKnownOf(challenge, config, instance, null))).toEqual(odd.map(() => null))
})

/** A game about graphs whose predicate is none of the format. */
function tiny(section: string): string {
  return `challenge tiny "Tiny"
${section}
dictionary {{
  Predicate = "graphs" <most> int.
  Instance = "vertices" <vertices> int "edges" <edges> List(Edge).
  Edge = "(" <a> int <b> int ")".
  Solution = "vertex" <chosen> int.
}}
legal predicate { require predicate.most in 2..9 else "No." }
legal instance { require instance.vertices in 2..predicate.most else "No." }
feasible solution { require solution.chosen in 1..instance.vertices else "No." }
measure = solution.chosen
goal = max
bound = instance.vertices
example "one" {
  predicate {{ graphs 3 }}
  instance {{ vertices 2 edges (1 2) }}
  solution {{ vertex 2 }}
  quality = 1
}
`
}
