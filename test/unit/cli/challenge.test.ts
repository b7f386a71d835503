import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { SHIPPED, sourceOf } from '../challenges/shipped.ts'
import { burma14, myciel3 } from '../challenges/well-known.ts'
import { varied } from '../play-test/games.ts'
import { machines } from '../play-test/own-games.ts'
import { matchFindings } from '../../../main/services/contests/command/challenge-match.ts'
import { gameTestLines } from '../../../main/cli/game-test-lines.ts'
import { run } from './environment.ts'
import { refusedCommand, saying, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('challenge')
})

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const fourteen = Array.from({ length: 14 }, (_, at) => at + 1)
const burmaOfThree = burma14.replace('DIMENSION: 14', 'DIMENSION: 3').replace(/^ +(?:[4-9]|1\d) .*\n/gm, '')

const tally = { tried: 1, found: 1, refused: null }

const instance = 'variables 3\n1 : 22 (1 2 3)\n2 : 2 (1 2 3)\n'

describe('challenge evaluate', () => {
  test('gives the exact quality', async () => {
    const args = [
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1 0'),
      '--predicate',
      file('p.txt', 'relations 2 22'),
    ]
    const { code, stdout } = await run('challenge', 'evaluate', ...args, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      challenge: 'max-csp',
      legal: true,
      feasible: true,
      quality: '1/3',
      number: 1 / 3,
      measure: 1,
      bound: 3,
      best: null,
      reason: null,
    })
  })

  test('the best known measure stands beside the one of a solution', async () => {
    const args = ['travelling-salesman', file('b.tsp', burma14), file('s.txt', `tour ${fourteen.join(' ')}`)]
    const { code, stdout } = await run('challenge', 'evaluate', ...args, '--json')
    expect(code).toBe(0)
    const found = JSON.parse(stdout) as { readonly measure: number }
    expect(found).toMatchObject({ feasible: true, best: { name: 'burma14', measure: 3323, settings: {} } })
    expect(found.measure).toBeGreaterThan(3323)
    expect((await run('challenge', 'evaluate', ...args)).stdout).toContain(
      `measure ${found.measure}, best known 3323 (burma14)`,
    )
  })

  test('a known number of colours helps only where the settings allow as many', async () => {
    const args = ['graph-colouring', file('m.col', myciel3), file('s.txt', 'colours 1 2 1 2 3 1 2 1 3 3 4')]
    const best = { name: 'myciel3', measure: 20, settings: { colours: 4 } }
    const rated = async (...more: readonly string[]): Promise<unknown> =>
      JSON.parse((await run('challenge', 'evaluate', ...args, ...more, '--json')).stdout)
    expect(await rated()).toMatchObject({ feasible: true, best })
    for (const colours of [3, 4, 5]) {
      const config = file('c.json', JSON.stringify({ maxVertices: 11, maxEdges: 20, colours }))
      expect(await rated('--config', config)).toMatchObject({ best: colours < 4 ? null : best })
    }
  })

  test.each([
    ['travelling-salesman', 'tour 1 2 3', burmaOfThree],
    ['graph-colouring', 'colours 1 2', 'c FILE: myciel3.col\np edge 2 1\ne 1 2\n'],
  ])('%s: the name of another problem does not bring its best known value', async (name, solution, text) => {
    const args = [name, file('x', text), file('s.txt', solution)]
    expect(JSON.parse((await run('challenge', 'evaluate', ...args, '--json')).stdout)).toMatchObject({
      feasible: true,
      best: null,
    })
  })

  test('raw material outside the predicate is a verdict: exit code 1', async () => {
    const args = [
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1 0'),
      '--predicate',
      file('p.txt', 'relations 22'),
    ]
    const { code, stdout } = await run('challenge', 'evaluate', ...args)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not legal: .*relation 2\b.*\n$/)
  })

  test('an infeasible solution is a verdict: exit code 1', async () => {
    const { code, stdout } = await run(
      'challenge',
      'evaluate',
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1'),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not feasible: .*\n$/)
  })

  test.each([
    ['i.txt', 'variables 3\n1 : 22 (1 2 x)\n', /i\.txt:2:13: /],
    ['i.json', '{"variables": 3,\n "constraints": [{"weight": "1"}]}', /i\.json:2:\d+: constraints\.0/],
    ['i.json', '{"variables": 3,\n,}', /i\.json:2:1: not JSON/],
  ])('a malformed file is exit code 2 with its place: %s %j', async (name, text, sentence) => {
    const { code, stdout, stderr } = await run(
      'challenge',
      'evaluate',
      'max-csp',
      file(name, text),
      file('s.txt', '0 1 0'),
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})

test('without a predicate raw material is refused that no predicate allows: exit code 1', async () => {
  const args = ['max-csp', file('i.txt', 'variables 3 1 : 22 (1 2 9)'), file('s.txt', '0 1 0')]
  const { code, stdout } = await run('challenge', 'evaluate', ...args, '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    legal: false,
    feasible: null,
    quality: null,
    reason: 'The variables of constraint 1 must be 1 to 3; they are [1, 2, 9].',
  })
})

test('JSON is taken for what it is, also in a file that is not named so', async () => {
  const value = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
  const args = ['max-csp', file('instance', JSON.stringify(value)), file('solution', '{"values":[1,0,0]}')]
  expect(JSON.parse((await run('challenge', 'evaluate', ...args, '--json')).stdout)).toMatchObject({ quality: '1/1' })
})

describe('challenge sample', () => {
  interface Sample {
    readonly predicate: unknown
    readonly instance: unknown
    readonly solution: unknown
    readonly quality: string
    readonly texts: Readonly<Record<'predicate' | 'instance' | 'solution', string>>
  }
  const sample = async (...args: string[]): Promise<readonly Sample[]> => {
    const { code, stdout, stderr } = await run('challenge', 'sample', ...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample)
  }

  test('an object a line; equal seeds give equal lines, whatever the count', async () => {
    const three = await sample('knapsack', '--seed', '7', '--count', '3')
    expect(three).toHaveLength(3)
    expect(await sample('knapsack', '--seed', '7', '--count', '2')).toEqual(three.slice(0, 2))
    expect(await sample('knapsack', '--seed', '8', '--count', '3')).not.toEqual(three)
  })

  test('what is sampled is evaluated to the quality that stands beside it', async () => {
    for (const { texts, quality } of await sample('vertex-cover', '--seed', '1', '--count', '3')) {
      const args = [
        file('i.txt', texts.instance),
        file('s.txt', texts.solution),
        '--predicate',
        file('p.txt', texts.predicate),
      ]
      const { stdout } = await run('challenge', 'evaluate', 'vertex-cover', ...args, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ legal: true, feasible: true, quality })
    }
  })

  test('for one predicate and under other settings', async () => {
    const predicate = file('p.txt', 'relations 22')
    const config = file('c.json', '{"maxVars": 5, "maxConstraints": 10}')
    const args = ['--predicate', predicate, '--config', config, '--count', '5']
    for (const one of await sample('max-csp', ...args)) {
      expect(one.predicate).toEqual({ relations: [22] })
      expect((one.instance as { variables: number }).variables).toBeLessThanOrEqual(5)
    }
  })

  interface Generated extends Pick<Sample, 'predicate' | 'instance'> {
    readonly parameters: unknown
    readonly planted?: { readonly solution: unknown; readonly quality: string }
    readonly texts: { readonly instance: string; readonly planted?: string }
  }
  const generated = async (...args: string[]): Promise<readonly Generated[]> =>
    (await sample(...args, '--from', 'generate')) as unknown as readonly Generated[]

  test('from the generator: the planted solution is shown only on request, and changes nothing else', async () => {
    const args = ['set-cover', '--seed', '7', '--count', '2', '--set', 'size=60', '--set', 'closeness=90']
    const shown = await generated(...args, '--with-planted')
    const hidden = await generated(...args)
    expect(hidden).toHaveLength(2)
    expect(JSON.stringify(hidden)).not.toContain('planted')
    for (const [at, { planted, texts, ...rest }] of shown.entries()) {
      expect(hidden[at]).toMatchObject({ ...rest, parameters: { size: 60, closeness: 90 } })
      const files = [file('i.txt', texts.instance), file('s.txt', texts.planted!)]
      const { stdout } = await run('challenge', 'evaluate', 'set-cover', ...files, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ feasible: true, quality: planted!.quality })
    }
    const printed = await run('challenge', 'sample', ...args, '--from', 'generate')
    expect(printed.stdout).not.toContain('choose')
    expect(printed.stdout).not.toContain('quality')
  })

  const bare = `challenge bare "Bare"
dictionary {{ Predicate = "p" <p> int. Instance = "i" <i> int. Solution = "s" <s> int. }}
legal predicate { }
legal instance { require instance.i > 3 else "It is {instance.i}." }
feasible solution { }
measure = 1 goal = max bound = 1
example "e" { predicate {{ p 1 }} instance {{ i 4 }} solution {{ s 1 }} quality = 1 }
`

  test.each<readonly [string, readonly string[], ErrorCode, readonly Fact[]]>([
    [bare, ['--from', 'generate'], 'generator-missing', ['bare.challenge', 'generate']],
    [`${bare} generate { instance = Instance(3) }`, ['--from', 'generate'], 'generator-illegal', ['generator', '3']],
    [bare, ['--set', 'a=1'], 'option-missing', ['--set', '--from generate']],
    [bare, ['--with-planted'], 'option-missing', ['--with-planted', '--from generate']],
    [sourceOf('knapsack'), ['--from', 'generate', '--set', 'size'], 'input-invalid', ['size']],
    [sourceOf('knapsack'), ['--from', 'generate', '--set', 'size=x'], 'input-invalid', ['size=x']],
    [sourceOf('knapsack'), ['--from', 'generate', '--set', 'sise=50'], 'settings-invalid', ['sise', 'size']],
    [sourceOf('knapsack'), ['--from', 'generate', '--set', 'size=500'], 'settings-invalid', ['size', '500', '100']],
    [sourceOf('knapsack'), ['--from', 'generate', '--set', 'size=9', '--set', 'size=8'], 'input-invalid', ['size']],
  ])('what cannot be generated is refused in one sentence %#', async (text, args, code, facts) => {
    const given = ['challenge', 'sample', file('bare.challenge', text), ...args]
    const found = await run(...given, '--json')
    expect([found.code, JSON.parse(found.stdout)]).toEqual([2, refusedCommand(code, ...facts)])
  })

  test('a challenge without properties is told so', async () => {
    const text = `challenge bare "Bare"
dictionary {{ Predicate = "p" <p> int. Instance = "i" <i> int. Solution = "s" <s> int. }}
legal predicate { require predicate.p = 123456789 else "Wrong." }
legal instance { }
feasible solution { }
measure = 1 goal = max bound = 1
example "e" { predicate {{ p 123456789 }} instance {{ i 1 }} solution {{ s 1 }} quality = 1 }
`
    const { code, stderr } = await run('challenge', 'sample', file('bare.challenge', text))
    expect(code).toBe(2)
    expect(stderr).toContain('The file has no section "property predicate"')
  })
})

describe('challenge import and export', () => {
  test('DIMACS in, and out again', async () => {
    const cnf = 'p cnf 3 2\n1 -2 0\n-1 2 3 0\n'
    const read = await run('challenge', 'import', file('f.cnf', cnf), '--challenge', 'max-sat', '--json')
    const material = JSON.parse(read.stdout) as { instance: unknown; texts: { instance: string } }
    expect(material).toMatchObject({
      challenge: 'max-sat',
      config: { maxVars: 3, maxClauses: 2, maxWeight: 1, maxClauseLength: 3 },
      notes: [],
    })
    for (const instance of [
      file('i.json', JSON.stringify(material.instance)),
      file('i.txt', material.texts.instance),
    ]) {
      const written = await run('challenge', 'export', instance, '--challenge', 'max-sat')
      expect(written).toMatchObject({ code: 0, stdout: cnf })
    }
    const weighed = await run(
      'challenge',
      'export',
      file('i.txt', material.texts.instance),
      '--challenge',
      'max-sat',
      '--format',
      'wcnf',
      '--json',
    )
    expect(JSON.parse(weighed.stdout)).toEqual({ format: 'wcnf', text: 'p wcnf 3 2 3\n1 1 -2 0\n1 -1 2 3 0\n' })
  })

  test('--to writes a model for an exact solver, and says how the measure is computed', async () => {
    const instance = file('g.txt', 'vertices 3 edges (1 2) (1 3) (2 3)')
    const wcsp = await run('challenge', 'export', instance, '--challenge', 'graph-colouring', '--to', 'wcsp')
    expect(wcsp.stdout).toMatch(/^graph-colouring 3 3 3 \d+\n3 3 3\n2 0 1 0 3\n0 0 1\n1 1 1\n2 2 1\n/)
    expect(wcsp.stderr).toContain('The measure is 3 - cost.')
    const few = file('c.json', '{"colours": 2}')
    const args = ['challenge', 'export', instance, '--challenge', 'graph-colouring', '--to', 'minizinc']
    const model = await run(...args, '--config', few)
    expect(model.stdout).toContain('var 1..2: x_colours_3;')
    expect(model.stdout).toContain('solve maximize objective;')
  })

  test('--to with a challenge alone draws raw material from a seed', async () => {
    const of = (seed: string) => run('challenge', 'export', 'knapsack', '--to', 'minizinc', '--seed', seed, '--json')
    const [one, again, other] = [await of('1'), await of('1'), await of('2')]
    expect(JSON.parse(one.stdout)).toMatchObject({
      format: 'minizinc',
      instance: expect.stringMatching(/^sack/) as string,
    })
    expect(again.stdout).toBe(one.stdout)
    expect(other.stdout).not.toBe(one.stdout)
  })

  test.each<[string[], ErrorCode, ...Fact[]]>([
    [['cubic-equations', '--to', 'minizinc'], 'format-unsupported', 'cubic-equations', 'solution.answers'],
    [['x.txt'], 'option-missing', '--challenge', '--to'],
  ])('export %j is exit code 2', async (args, refused, ...facts) => {
    const { code, stdout } = await run('challenge', 'export', ...args, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
  })

  test('without --json the raw material is printed as the challenge writes it', async () => {
    const text = 'p 5 1\n85 5: 1 4 0\n'
    const { stdout } = await run('challenge', 'import', file('f.csp', text), '--challenge', 'max-csp')
    expect(stdout).toBe('variables 5\n5:85(2 1 4)\n')
  })

  test('a challenge of a class that names its format is imported, and what is exported is read again', async () => {
    const source = sourceOf('graph-colouring').replace('challenge graph-colouring ', 'challenge my-colouring ')
    const own = file('my-colouring.challenge', `${source}\nformat dimacs-graph best\n`)
    const graph = file('f.col', myciel3)
    const { code, stdout } = await run('challenge', 'import', graph, '--challenge', own, '--json')
    const read = JSON.parse(stdout) as { readonly texts: { readonly instance: string }; readonly notes: unknown }
    expect([code, read]).toMatchObject([
      0,
      { challenge: 'my-colouring', best: { measure: 20 }, config: { colours: 4 } },
    ])
    const instance = file('instance.txt', read.texts.instance)
    const written = await run('challenge', 'export', instance, '--challenge', own)
    expect(written.stdout.trim().split('\n').toSorted()).toEqual(
      myciel3
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('c'))
        .toSorted(),
    )
    const colours = file('colours.txt', 'colours 1 2 1 2 3 1 2 1 2 3 4')
    const settings = file('settings.json', JSON.stringify({ colours: 4 }))
    const rated = await run('challenge', 'evaluate', own, instance, colours, '--config', settings, '--json')
    expect(JSON.parse(rated.stdout)).toMatchObject({
      measure: 20,
      quality: '1/1',
      best: { name: 'myciel3', measure: 20 },
    })
  })

  test.each<[[string, string], ErrorCode, ...Fact[]]>([
    [['max-sat', 'p cnf 1 1\n2 0\n'], 'value-invalid', 'f.cnf:2:1: ', 1],
    [['knapsack', ''], 'format-unsupported', 'knapsack', 'max-sat', 'max-csp'],
  ])('%j is exit code 2', async ([challenge, text], refused, ...facts) => {
    const args = ['challenge', 'import', file('f.cnf', text), '--challenge', challenge, '--json']
    const { code, stdout } = await run(...args)
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
  })
})

test('challenge alone shows its verbs', async () => {
  const { code, stderr } = await run('challenge')
  expect(code).toBe(2)
  for (const verb of ['check', 'evaluate', 'print', 'sample', 'import', 'export']) expect(stderr).toContain(verb)
})

test('challenge check names the place of an error', async () => {
  const path = file('odd.challenge', 'challenge odd "Odd"\n\nlegal {\n')
  const { code, stdout } = await run('challenge', 'check', 'max-sat', path, '--no-play')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^max-sat: fine\n/)
  expect(stdout).toMatch(new RegExp(`^${path}:3:\\d+: `, 'm'))
})

test('what is printed is read again', async () => {
  const value = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
  const json = file('i.json', JSON.stringify(value))
  const { stdout } = await run('challenge', 'print', 'max-csp', json, '--class', 'Instance')
  const evaluated = await run(
    'challenge',
    'evaluate',
    'max-csp',
    file('i.txt', stdout),
    file('s.txt', '1 0 0'),
    '--json',
  )
  expect(JSON.parse(evaluated.stdout)).toMatchObject({ quality: '1/1' })
})

test('dictionary parse and print are inverse', async () => {
  const dictionary = file('d.cd', 'A = B | C.\nB = "b" <v> List(int).\nC = "c" <name> ident.\n')
  const parsed = await run('dictionary', 'parse', dictionary, file('v.txt', 'b 1 2 3'), '--class', 'A', '--json')
  expect(JSON.parse(parsed.stdout)).toEqual({ $: 'B', v: [1, 2, 3] })
  const printed = await run('dictionary', 'print', dictionary, file('v.json', parsed.stdout), '--class', 'A')
  expect(printed).toMatchObject({ code: 0, stdout: 'b 1 2 3\n' })
})

test('a class that the dictionary does not have is wrong usage', async () => {
  const dictionary = file('d.cd', 'A = "a".\n')
  const { code, stderr } = await run('dictionary', 'parse', dictionary, file('v.txt', 'a'), '--class', 'Nobody')
  expect(code).toBe(2)
  expect(stderr).toContain('Nobody')
})

describe('challenges of the class', () => {
  const source = (name: string): string => sourceOf('knapsack').replace('challenge knapsack', `challenge ${name}`)
  const data = (): string => join(folder, 'data')
  beforeEach(() => {
    mkdirSync(join(data(), 'challenges'), { recursive: true })
    for (const name of ['rucksack', 'satchel']) {
      writeFileSync(join(data(), 'challenges', `${name}.challenge`), source(name))
    }
  })

  test('are known by their names wherever a shipped one is', async () => {
    const own = ['--data', data(), '--json']
    const checked = await run('challenge', 'check', 'rucksack', 'knapsack', '--no-play', ...own)
    const verdicts = checked.stdout.trim().split('\n')
    expect(verdicts.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ok: true, challenge: 'rucksack' },
      { ok: true, challenge: 'knapsack' },
    ])
    const sampled = await run('challenge', 'sample', 'rucksack', '--seed', '7', ...own)
    const shipped = await run('challenge', 'sample', 'knapsack', '--seed', '7', ...own)
    expect(sampled.stdout).toBe(shipped.stdout)
    const { texts } = JSON.parse(sampled.stdout) as { texts: Record<'predicate' | 'instance' | 'solution', string> }
    const files = [file('i.txt', texts.instance), file('s.txt', texts.solution)]
    const evaluated = await run('challenge', 'evaluate', 'rucksack', ...files, ...own)
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ challenge: 'rucksack', feasible: true })
    const printed = await run('challenge', 'print', 'rucksack', ...own)
    expect(JSON.parse(printed.stdout)).toMatchObject({ challenge: 'rucksack' })
    const solved = await run('specker', 'solve', '--challenge', 'rucksack', files[0]!, '--seconds', '0.01', ...own)
    expect(JSON.parse(solved.stdout)).toMatchObject({ challenge: 'rucksack' })
  })

  test('print shows the parameters of the generator with defaults and ranges, and that a file has none', async () => {
    const printed = await run('challenge', 'print', 'graph-colouring', '--json')
    const { generator } = JSON.parse(printed.stdout) as { generator: unknown }
    expect(generator).toContainEqual({ name: 'density', whole: true, standard: 60, low: 1, high: 100 })
    const { stdout } = await run('challenge', 'print', 'graph-colouring')
    expect(stdout).toMatch(/^ *density +60 +1 +100 +whole$/m)
    const without = await run('challenge', 'print', file('bare.challenge', machines), '--json')
    expect(JSON.parse(without.stdout)).toMatchObject({ generator: null })
  })

  test('are not taken for those that ship: a file of that name in the class changes nothing', async () => {
    writeFileSync(join(data(), 'challenges', 'max-csp.challenge'), 'rubbish')
    expect((await run('challenge', 'check', 'max-csp', '--no-play', '--data', data())).code).toBe(0)
  })

  test('a name that means nothing gets one sentence with both kinds', async () => {
    const print = async (name: string, folder: string): Promise<readonly [number, unknown]> => {
      const { code, stdout } = await run('challenge', 'print', name, '--data', folder, '--json')
      return [code, JSON.parse(stdout)]
    }
    const own = ['rucksack, satchel', '"rucksack"'] as const
    expect(await print('ruck-sack', data())).toEqual([
      2,
      refusedCommand('challenge-unknown', '"ruck-sack"', SHIPPED.join(', '), data(), ...own),
    ])
    const nothing = join(folder, 'nothing')
    mkdirSync(nothing)
    expect(await print('ruck-sack', nothing)).toEqual([2, refusedCommand('challenge-unknown', '"ruck-sack"', nothing)])
    expect(JSON.stringify(await print('ruck-sack', nothing))).not.toContain('satchel')
    // A data folder that is not there is a slip, not a class without challenges.
    const nowhere = join(folder, 'nowhere')
    expect(await print('ruck-sack', nowhere)).toEqual([2, refusedCommand('data-folder-unknown', nowhere)])
    const path = './ruck-sack.challenge'
    expect(await print(path, data())).toEqual([2, refusedCommand('file-unreadable', path)])
  })

  test('are played by the name that a contest or a match gives', async () => {
    const args = ['--challenge', 'rucksack', '--data', data(), '--isolation', 'none', '--json']
    const match = await run('match', 'play', 'baby', 'baby', ...args)
    expect([match.code, JSON.parse(match.stdout)]).toMatchObject([
      0,
      { seats: [{ removed: false }, { removed: false }] },
    ])
    const contest = file(
      'contest.json',
      JSON.stringify({
        title: 'Own',
        game: 'specker',
        config: { challenge: 'satchel', maxTurns: 1 },
        format: { type: 'single' },
        seed: 'own',
        isolation: 'none',
        entrants: ['a', 'b'].map((name) => ({ name, agent: join(resources.agents, 'specker', 'baby.js') })),
      }),
    )
    const held = await run('contest', 'run', contest, '--data', data(), '--cores', '1', '--json')
    expect([held.code, JSON.parse(held.stdout)]).toMatchObject([0, { matches: { played: 1 } }])
    const unknown = await run('match', 'play', 'baby', 'baby', '--challenge', 'nonesuch', '--data', data(), '--json')
    expect(JSON.parse(unknown.stdout)).toEqual(
      refusedCommand('challenge-unknown', 'config.challenge: ', '"nonesuch"', 'rucksack, satchel'),
    )
  })
})

test('challenge check computes the most steps, and warns of settings that cannot be judged', async () => {
  const path = file('wide.challenge', sourceOf('cubic-equations').replace('in 1..100\n', 'in 1..100000\n'))
  const shown = await run('challenge', 'check', path, '--no-play')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(/warning: .*"measure" may take [\d,]+ steps \(by default [\d,]+\)/)
  const { stdout } = await run('challenge', 'check', 'cubic-equations', '--no-play', '--json')
  const { warnings, steps } = JSON.parse(stdout) as { warnings: unknown[]; steps: { what: string; most: number }[] }
  expect(warnings).toEqual([])
  expect(steps.find(({ what }) => what === 'measure')?.most).toBeLessThanOrEqual(10_000_000)
})

describe('challenge check tries out the game', () => {
  const wrong = (): string =>
    file(
      'wrong.challenge',
      sourceOf('knapsack')
        .replaceAll(/^example [^]*?^\}\n/gm, '')
        .replace('sum(item.worth for item in instance.items),', 'max(item.worth for item in instance.items),')
        .concat(
          'example "one" { predicate {{ weights 1 }} instance {{ sack 1 1 for 4 }} solution {{ pack 1 }} quality = 1 }\n',
        ),
    )

  test('with a match of agents that know only the file; the report has all parts', async () => {
    const { code, stdout } = await run('challenge', 'check', 'knapsack', '--seed', '7', '--json')
    const report = JSON.parse(stdout) as Record<string, unknown>
    expect([code, report]).toMatchObject([
      0,
      {
        ok: true,
        playable: true,
        complete: true,
        draws: { usual: { sizes: {} }, largest: { config: { maxItems: 200 } } },
        bound: { counterexample: null },
        spread: {},
        cost: [],
        references: [
          { kind: 'greedy', language: 'formulas', ok: true },
          { title: 'everything', kind: 'wrong', ok: true },
          { kind: 'good', language: 'javascript', ok: true },
        ],
        difficulty: { curves: [{ parameter: 'size' }, { parameter: 'closeness' }] },
        match: { traded: true, seats: [{ faults: [] }, { faults: [] }, { faults: [] }] },
      },
    ])
    const { chance, best } = report.spread as { chance: number; best: number }
    expect(best).toBeGreaterThan(chance)
  })

  test('agents that the match removed or that had faults are told, and a match without a sale', () => {
    const fine = { agent: 'baby', score: '1', removed: null, faults: [] }
    const removed = { ...fine, agent: 'sampler', removed: 'The raw material is not legal.' }
    const slow = { ...removed, agent: 'tartaglia', faults: ['It took too long.'] }
    const told = (...match: readonly [Parameters<typeof matchFindings>[1]['seats'], boolean]): unknown =>
      matchFindings('x.challenge', { seats: match[0], traded: match[1] }).map(({ code, fatal, message }) => [
        code,
        fatal,
        message,
      ])
    expect(told([fine, fine], true)).toEqual([])
    expect(told([fine, fine], false)).toEqual([['no-trade', false, saying('baby, baby')]])
    expect(told([fine, removed, slow], true)).toEqual([
      ['agents-failed', false, saying('sampler', 'The raw material is not legal.')],
      ['agents-failed', false, saying('tartaglia', 'It took too long.')],
    ])
  })

  test('the curve of a parameter is drawn, letters from quality 0 to quality 1', () => {
    const points = [
      { value: 0, instances: 2, chance: 0.25, baby: 0.5, best: 0.75, planted: 1 },
      { value: 50, instances: 2, chance: 0, baby: 0, best: 0, planted: null },
    ]
    const [usual] = [{ predicates: tally, instances: tally, solutions: tally, sizes: null, judgements: [], config: {} }]
    const draws = { usual, largest: null }
    const bound = { instances: 0, solutions: 0, reached: null, counterexample: null }
    const difficulty = {
      curves: [
        { parameter: 'noise', points },
        { parameter: 'size', points: [] },
      ],
    }
    const file = { file: 'x', ok: true, challenge: 'x', errors: [], warnings: [], steps: [] }
    const lines = gameTestLines({ ...file, draws, bound, difficulty, complete: true }).map((line) => line.trim())
    expect(lines).toContainEqual(expect.stringMatching(/noise\s+chance\s+baby\s+search\s+planted/))
    expect(lines).toContainEqual(expect.stringMatching(/^0\s+0\.25\s+0\.50\s+0\.75\s+1\.00\s+·{6}c·{5}b·{5}S·{5}P$/))
    expect(lines).toContainEqual(expect.stringMatching(/^50\s+0\.00\s+0\.00\s+0\.00\s+-\s+S·{24}$/))
    expect(lines).toContainEqual(expect.stringContaining('size'))
  })

  test('a wrong bound is exit code 1, at its line, and no match is played', async () => {
    const path = wrong()
    const { code, stdout } = await run('challenge', 'check', path, '--json')
    const { warnings, ...report } = JSON.parse(stdout) as { warnings: unknown[] }
    expect([code, report]).toMatchObject([1, { ok: false, playable: false, errors: [] }])
    expect(report).not.toHaveProperty('match')
    const line = readFileSync(path, 'utf8').split('\n').indexOf('bound = min(') + 1
    expect(warnings[0]).toMatchObject({ code: 'bound-wrong', fatal: true, file: path, line })
    const shown = await run('challenge', 'check', path)
    expect(shown.code).toBe(1)
    expect(shown.stdout).toContain(`${path}:${line}:1: not playable: `)
    expect(shown.stdout).not.toContain('fine')
  })

  test('a contest with such a file is played, with a warning that names challenge and line', async () => {
    const path = wrong()
    const contest = file(
      'contest.json',
      JSON.stringify({
        title: 'Own',
        game: 'specker',
        config: { challenge: path, maxTurns: 1 },
        format: { type: 'single' },
        seed: 'a seed that nobody guesses',
        isolation: 'none',
        entrants: ['a', 'b'].map((name) => ({ name, agent: join(resources.agents, 'specker', 'baby.js') })),
      }),
    )
    const { code, stderr } = await run('contest', 'run', contest, '--data', join(folder, 'data'), '--cores', '1')
    expect(code).toBe(0)
    const line = readFileSync(path, 'utf8').split('\n').indexOf('bound = min(') + 1
    expect(stderr).toContain(`challenge knapsack, line ${line}: `)
  })

  test('equal seeds give equal reports and matches, except for times', async () => {
    const path = file('machines.challenge', machines)
    const report = async (seed: string): Promise<unknown> => {
      const { stdout } = await run('challenge', 'check', path, '--seed', seed, '--json')
      return JSON.parse(stdout, (key, value: unknown) => (key === 'ms' ? 0 : value))
    }
    const one = await report('7')
    expect(one).toMatchObject({ ok: true, complete: true, match: { traded: expect.any(Boolean) as boolean } })
    expect(await report('7')).toEqual(one)
    expect(await report('8')).not.toEqual(one)
  })

  test('settings that cannot be judged are exit code 1, and only a warning as the end of a range', async () => {
    const text = varied(
      machines,
      ['maxJobs = 8 in 1..30', 'maxJobs = 8 in 1..3000'],
      ['measure = ', 'measure = (count(i for i in 1..(length(instance.jobs) * 10000)) * 0) + '],
      ['length range 2 config.maxJobs', 'length config.maxJobs'],
    )
    const args = ['challenge', 'check', file('wide.challenge', text), '--json']
    const verdict = async (...more: string[]): Promise<unknown> => {
      const { code, stdout } = await run(...args, ...more)
      const { playable, warnings } = JSON.parse(stdout) as { playable: boolean; warnings: { code: string }[] }
      return { code, playable, found: warnings.find((one) => one.code === 'over-limit') }
    }
    const line = text.split('\n').findIndex((one) => one.startsWith('measure')) + 1
    const found = { fatal: false, line }
    expect(await verdict()).toMatchObject({ code: 0, playable: true, found })
    const config = file('wide.json', '{"maxJobs": 3000}')
    expect(await verdict('--config', config)).toMatchObject({ code: 1, playable: false, found: { fatal: true, line } })
  })

  test('with the settings of a file; settings that the challenge refuses are wrong usage', async () => {
    const config = file('c.json', '{"maxItems": 1}')
    const { code, stdout } = await run('challenge', 'check', 'knapsack', '--config', config, '--json')
    const { warnings } = JSON.parse(stdout) as { warnings: unknown[] }
    expect([code, warnings]).toMatchObject([1, [{ code: 'one-answer', fatal: true }]])
    const refused = file('r.json', '{"maxItems": 0}')
    const failed = await run('challenge', 'check', 'knapsack', '--config', refused, '--json')
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([2, { code: 'settings-invalid' }])
  })
})
