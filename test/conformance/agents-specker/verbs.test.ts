import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fraction,
  multiply,
  toNumber,
  toText,
  type Fraction,
  fromText,
  add,
} from '../../../grammars/formulas/numbers/fraction.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { burma14 } from '../../unit/challenges/well-known.ts'
import { run } from '../../unit/cli/environment.ts'

/** Reference values, worked out independently of this project. */
const reference = new URL('../../../../shared/data/specker-break-even.json', import.meta.url)
const absent = !existsSync(reference)

interface Entry {
  readonly break_even: number
  readonly bmax?: number
  readonly V_n?: Readonly<Record<string, string | number>>
}
type Table = Readonly<Record<string, Entry>>
interface Reference {
  readonly single_relations_rank3: Table
  readonly single_clause_types: Table
  readonly clause_type_pairs: Table
  readonly sets: Table
}

interface Price<Amount> {
  readonly value: Amount
  readonly mixture: readonly {
    readonly relation?: number
    readonly clause?: [number, number]
    readonly weight: Amount
  }[]
  readonly bias: Amount
}

async function price(...args: readonly string[]): Promise<Price<unknown>> {
  const { code, stdout, stderr } = await run('specker', 'price', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim().split('\n')).toHaveLength(1)
  return JSON.parse(stdout) as Price<unknown>
}

/** `(1,1)+(2,0)`, `cnf (1,1)(2,0)` or a relation as the verb takes them. */
function predicateOf(name: string): readonly string[] {
  const types = [...name.matchAll(/\((\d+),(\d+)\)/g)].map(([, length, positives]) => `${length},${positives}`)
  return types.length > 0 ? ['--clauses', types.join(';')] : ['--relations', name]
}

describe.skipIf(absent)('specker price meets the reference file (needs the shared data)', () => {
  const tables = absent ? null : (JSON.parse(readFileSync(reference, 'utf8')) as Reference)
  const entries = Object.entries({
    ...tables?.single_relations_rank3,
    ...tables?.single_clause_types,
    ...tables?.clause_type_pairs,
    ...tables?.sets,
  })

  test('the file has what this test reads', () => expect(entries.length).toBeGreaterThan(40))

  test.each(entries)('%s', async (name, { break_even: value, bmax, V_n: finite = {} }) => {
    const limit = (await price(...predicateOf(name))) as Price<number>
    expect(limit.value).toBeCloseTo(value, 10)
    expect(limit.mixture.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 10)
    if (bmax !== undefined) expect(limit.bias).toBeCloseTo(bmax, 6)
    for (const [n, wanted] of Object.entries(finite)) {
      const { value: found } = await price(...predicateOf(name), '--vars', n)
      const exact = fromText(String(found))!
      if (typeof wanted === 'string') expect(exact).toEqual(fromText(wanted.includes('/') ? wanted : `${wanted}/1`))
      else expect(toNumber(exact)).toBeCloseTo(wanted, 12)
    }
  })
})

describe('specker price', () => {
  const falling = (n: bigint, k: number): bigint => (k === 0 ? 1n : n * falling(n - 1n, k - 1))
  /** Mean satisfaction with k of n variables true, from the definition. */
  const meanOf = (relation: number, n: bigint, k: bigint): Fraction => {
    let sum = 0n
    for (let row = 0; row < 8; row++) {
      const ones = (row & 1) + ((row >> 1) & 1) + (row >> 2)
      if ((relation >> row) & 1) sum += falling(k, ones) * falling(n - k, 3 - ones)
    }
    return fraction(sum, falling(n, 3))
  }

  test('with --vars all is exact: the mixture holds every count of true variables down, the bias reaches the value', async () => {
    const sets = [
      '1,22',
      '2,8',
      '22,104,1',
      '10,1,128',
      '14,112,129',
      Array.from({ length: 126 }, (_, i) => 2 * i + 2).join(),
    ]
    for (const relations of sets) {
      for (const n of [3, 7, 20, 100]) {
        const { value, mixture, bias } = (await price('--relations', relations, '--vars', String(n))) as Price<string>
        const shares = mixture.map(({ weight }) => fromText(weight)!)
        expect(toText(shares.reduce(add))).toBe('1/1')
        const reached = Array.from({ length: n + 1 }, (_, k) =>
          mixture.map(({ relation }, at) => multiply(shares[at]!, meanOf(relation!, BigInt(n), BigInt(k)))).reduce(add),
        )
        const top = Math.max(...reached.map(toNumber))
        const first = reached.findIndex((sum) => toNumber(sum) === top)
        expect(toText(reached[first]!)).toBe(value)
        expect(fromText(bias)).toEqual(fraction(first, n))
      }
    }
  })

  test('without it the value is at most every V_n and the mixture does not exceed it at any bias', async () => {
    const { value, mixture } = (await price('--relations', '1,10,128')) as Price<number>
    expect(value).toBeCloseTo(1 / 5, 11)
    for (let b = 0; b <= 1; b += 1 / 64) {
      const polynomial = (relation: number): number =>
        [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, row) => {
          const ones = (row & 1) + ((row >> 1) & 1) + (row >> 2)
          return sum + ((relation >> row) & 1) * b ** ones * (1 - b) ** (3 - ones)
        }, 0)
      expect(mixture.reduce((sum, { relation, weight }) => sum + weight * polynomial(relation!), 0)).toBeLessThan(
        value + 1e-9,
      )
    }
  })

  test('relation 0 is worth nothing, 255 everything; a relation named twice counts once', async () => {
    expect(await price('--relations', '0')).toEqual({ value: 0, mixture: [{ relation: 0, weight: 1 }], bias: 0 })
    expect(await price('--relations', '255,255', '--vars', '9')).toEqual({
      value: '1/1',
      mixture: [{ relation: 255, weight: '1/1' }],
      bias: '0/1',
      variables: 9,
    })
    expect(await price('--clauses', '1,1;2,0', '--vars', '10')).toMatchObject({
      value: '22/35',
      mixture: [{ clause: [1, 1] }, { clause: [2, 0] }],
    })
  })

  test.each([
    [[]],
    [['--relations', '']],
    [['--relations', '256']],
    [['--relations', '2,,6']],
    [['--relations', '-2']],
    [['--relations', '2.5']],
    [['--relations', '22', '--clauses', '1,1']],
    [['--relations', '22', '--vars', '2']],
    [['--relations', '22', '--vars', '0']],
    [['--relations', '22', '--vars', 'x']],
    [['--relations', '22', '--vars', '1001']],
    [['--clauses', '1,2']],
    [['--clauses', '0,0']],
    [['--clauses', '1']],
    [['--clauses', '1,1,1']],
    [['--clauses', '101,0']],
    [['--clauses', '3,0', '--vars', '2']],
  ])('wrong usage is one sentence and exit code 2: %j', async (args) => {
    const { code, stdout, stderr } = await run('specker', 'price', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\.\n$/)
  })
})

describe('specker solve', () => {
  const folder = temporaryFolder('specker')
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const solve = async (challenge: string, path: string, ...more: readonly string[]) => {
    const { code, stdout, stderr } = await run('specker', 'solve', '--challenge', challenge, path, ...more, '--json')
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as { solution: { values: number[] }; quality: string; number: number; optimal: boolean }
  }
  const ten = [1, 2, 3].flatMap((a) =>
    [2, 3, 4].filter((b) => b > a).flatMap((b) => [3, 4, 5].filter((c) => c > b).map((c) => [a, b, c])),
  )

  test('all triples of five variables of 22, in every form: 6 of 10, and that is certain', async () => {
    const forms = {
      'i.txt': `variables 5\n${ten.map((t) => `1 : 22 (${t.join(' ')})`).join('\n')}\n`,
      'i.json': JSON.stringify({
        variables: 5,
        constraints: ten.map((variables) => ({ weight: 1, relation: 22, variables })),
      }),
      'j.txt': JSON.stringify({
        variables: 5,
        constraints: ten.map((variables) => ({ weight: 1, relation: 22, variables })),
      }),
      'i.csp': `c all triples\np 5 10\n${ten.map((t) => `22: ${t.join(' ')} 0`).join('\n')}\n`,
    }
    for (const [name, text] of Object.entries(forms)) {
      const found = await solve('max-csp', file(name, text), '--seconds', '5')
      expect(found).toMatchObject({ quality: '3/5', number: 0.6, optimal: true })
      expect(found.solution.values.filter((value) => value === 1)).toHaveLength(1)
    }
  })

  test('DIMACS: hard clauses of a CNF and weights of a WCNF', async () => {
    expect(await solve('max-sat', file('a.cnf', 'c x\np cnf 2 3\n1 2 0\n-1 0\n-2 0\n'))).toMatchObject({
      quality: '2/3',
      optimal: true,
    })
    expect(await solve('max-sat', file('b.wcnf', 'p wcnf 2 3\n5 1 0\n3 -1 2 0\n2 -2 0\n'))).toMatchObject({
      quality: '4/5',
      solution: { values: [1, 1] },
    })
  })

  test('larger raw material than the challenge allows by default; the answer is feasible and as good as said', async () => {
    const text = ['p 40 300']
    for (let c = 0; c < 300; c++) {
      const v = [(c * 7) % 40, (c * 7 + 1 + (c % 11)) % 40, (c * 7 + 13 + (c % 17)) % 40]
      text.push(`22 ${1 + (c % 10)}: ${v.map((x) => x + 1).join(' ')} 0`)
    }
    const found = await solve('max-csp', file('big.csp', text.join('\n')), '--seconds', '0.3')
    expect(found.solution.values).toHaveLength(40)
    expect(found.number).toBeGreaterThan(4 / 9)
    expect(toNumber(fromText(found.quality)!)).toBe(found.number)
  })

  test('challenges of which nothing but the file is known are climbed', async () => {
    const cities = 'cities 5\ndistances 1 9 9 1 1 9 9 1 9 1\n'
    expect(await solve('travelling-salesman', file('t.txt', cities), '--seconds', '2')).toMatchObject({
      quality: '1/1',
    })
  })

  test('well-known raw material: what was reached, and beside it the best known', async () => {
    const path = file('b.tsp', burma14)
    const { code, stdout, stderr } = await run('specker', 'solve', '--challenge', 'travelling-salesman', path, '--json')
    expect(code, stderr).toBe(0)
    const found = JSON.parse(stdout) as { readonly measure: number }
    expect(found).toMatchObject({ best: { name: 'burma14', measure: 3323 } })
    expect(found.measure).toBeGreaterThanOrEqual(3323)
    expect(stderr).toContain(`measure ${found.measure}, best known 3323 (burma14)`)
  })

  test.each([
    ['max-csp', 'none.txt', null, /none\.txt cannot be read: there is no such file/],
    ['max-csp', 'a.txt', 'variables 3\n1 : 22 (1 2 x)\n', /a\.txt:2:13: /],
    ['max-csp', 'a.txt', 'p 3 1\n22: 1 2 4 0\n', /a\.txt:2:9: .* 3 variables/],
    ['max-csp', 'a.txt', 'variables 3 1 : 22 (1 2 2)', /must differ/],
    ['max-csp', 'a.txt', 'variables 3', /constraints must be/],
    ['max-csp', 'a.json', '{"variables": 3}', /a\.json:/],
    ['max-sat', 'a.cnf', 'p cnf 2 1\n3 0\n', /a\.cnf:2:1: /],
    ['nothing', 'a.txt', 'variables 3', /no challenge "nothing": .*max-csp, max-sat/],
  ])(
    'invalid raw material of %s is refused with one sentence and exit code 2: %s %j',
    async (challenge, name, text, sentence) => {
      const path = text === null ? join(folder, name) : file(name, text)
      const { code, stdout, stderr } = await run('specker', 'solve', '--challenge', challenge, path)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^[^\n]+\n$/)
      expect(stderr).toMatch(sentence)
    },
  )

  test.each([[['--seconds', '0']], [['--seconds', '-1']], [['--seconds', 'x']], [['--seconds', '1e9']]])(
    'wrong usage: %j',
    async (args) => {
      const path = file('u.txt', 'variables 3 1 : 22 (1 2 3)')
      const { code, stderr } = await run('specker', 'solve', '--challenge', 'max-csp', path, ...args)
      expect(code).toBe(2)
      expect(stderr).toMatch(/^[^\n]+\n$/)
    },
  )

  test('the challenge must be named', async () => {
    expect((await run('specker', 'solve', file('v.txt', 'variables 3'))).code).toBe(2)
  })
})
