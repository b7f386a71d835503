import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { tryOutGame } from '../../../grammars/play-test/play-test.ts'
import type { PlayTest } from '../../../grammars/play-test/report.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { machines, partition } from '../play-test/own-games.ts'
import { accepted, challengeOf } from './shipped.ts'

const amounts = { predicates: 4, instances: 2, solutions: 4, variations: 25, small: 0, ways: 0, largest: 0 }

/** A game with references, tried out with a clock that stands still. */
function triedOut(source: string, others: Partial<typeof amounts> = {}): ReturnType<typeof tryOutGame> {
  const challenge = challengeOf(source)
  const config = accepted(challenge.config({})).value
  const random = randomStream('1'.repeat(64))
  return tryOutGame(challenge, { config, random, now: () => 0, withinMs: 1, amounts: { ...amounts, ...others } })
}

const codesOf = ({ warnings }: PlayTest): readonly string[] => warnings.map(({ code }) => code)

const spreadOut = 'machine = [1 + i mod config.machines for i in 1..length(instance.jobs)]'
const shortest = 'machine = [1 for job in instance.jobs]'
const fromZero = 'machine = [0 for job in instance.jobs]'

describe('a reference is read', () => {
  const read = (text: string) => readChallenge(machines + text)

  test('with its kind and share, at its line', () => {
    const source = `${machines}reference "in turn" greedy 0.7 { ${spreadOut} }\n`
    const [reference] = challengeOf(source).references
    expect(reference).toMatchObject({ title: 'in turn', kind: 'greedy', share: 0.7, how: { language: 'formulas' } })
    expect(reference?.at.line).toBe(machines.split('\n').length)
  })

  test('and solves an instance in counted steps', () => {
    const { references, config } = challengeOf(`${machines}reference "in turn" good { ${spreadOut} }`)
    const { how, share } = references[0]!
    expect(share).toBe(0.9)
    const solved = how.language === 'formulas' && how.solve(accepted(config({})).value, { jobs: [5, 3, 2, 1] })
    expect(solved).toEqual({ ok: true, solution: { machine: [2, 3, 1, 2] }, steps: 13 })
  })

  test('a formula without a value is a reference without a solution, with its line', () => {
    const { references, config } = challengeOf(`${machines}reference "x" good {\n machine = [instance.jobs[99]] }`)
    const { how } = references[0]!
    const solved = how.language === 'formulas' && how.solve(accepted(config({})).value, { jobs: [5] })
    expect(solved).toMatchObject({
      ok: false,
      error: expect.stringContaining(`Line ${machines.split('\n').length + 1}`) as string,
    })
  })

  test('the lines of a script are those of the file', () => {
    const [reference] = challengeOf(`${machines}\nreference "s" good javascript {{ throw 1 }}`).references
    const source = reference?.how.language === 'javascript' ? reference.how.source : ''
    expect(source.split('\n').length).toBe(machines.split('\n').length + 1)
  })

  test.each([
    ['an unknown kind', `reference "x" bad { ${shortest} }`, 'bad'],
    ['another language', 'reference "x" good python {{ pass }}', 'python'],
    ['a share above 1', `reference "x" good 1.5 { ${shortest} }`, '1.5'],
    ['a field that solutions do not have', 'reference "x" good { machines = [1] }', 'machines = [1]'],
    ['a field twice', `reference "x" good { ${shortest} ${shortest} }`, `${shortest} }`],
    ['a field of another type', 'reference "x" good { machine = 1 }', '1 }'],
    ['no field', 'reference "x" good { }', 'reference'],
    ['a title twice', `reference "x" good { ${shortest} }\nreference "x" wrong { ${shortest} }`, 'reference "x" wrong'],
  ])('%s is refused at its place', (_, text, at) => {
    const { challenge, problems } = read(text)
    expect(challenge).toBeNull()
    expect(problems.map(({ at: { offset } }) => offset)).toEqual([(machines + text).lastIndexOf(at)])
  })

  test('the word is still a name elsewhere', () => {
    const { challenge } = readChallenge(machines.replaceAll('maxJobs', 'reference'))
    expect(challenge).not.toBeNull()
  })
})

describe('a game is tried with its references', () => {
  test('those that do as they should leave it playable', () => {
    const { test } = triedOut(
      `${machines}reference "in turn" greedy { ${spreadOut} }\nreference "from 0" wrong { ${fromZero} }`,
    )
    expect(test.playable).toBe(true)
    expect(test.references).toMatchObject([
      { title: 'in turn', kind: 'greedy', language: 'formulas', instances: 8, refused: 0, ok: true, problem: null },
      { title: 'from 0', kind: 'wrong', instances: 8, refused: 8, quality: 0, ok: true },
    ])
  })

  test.each([
    ['a good one that is refused', `reference "x" good { ${fromZero} }`, 'reference-failed'],
    ['a good one that is too bad', `reference "x" good 0.95 { ${shortest} }`, 'reference-failed'],
    [
      'a wrong one that is accepted and as good as the best',
      `reference "x" wrong 0.3 { ${spreadOut} }`,
      'reference-accepted',
    ],
  ])('%s makes it not playable, at its line', (_, text, code) => {
    const { test } = triedOut(machines + text)
    expect(test.playable).toBe(false)
    expect(test.warnings).toMatchObject([{ code, fatal: true, at: { line: machines.split('\n').length } }])
  })

  test('a wrong one that is accepted, but stays below its share, is wrong as it should be', () => {
    const { test } = triedOut(`${machines}reference "x" wrong 0.99 { ${shortest} }`)
    expect(test.references).toMatchObject([{ refused: 0, ok: true }])
    expect(codesOf(test)).toEqual([])
  })

  test('a script is not run here, and its answers are judged as those of formulas', () => {
    const source = `${machines}reference "s" good javascript {{ function solve() {} }}`
    const tried = triedOut(source)
    expect(tried.test).toMatchObject({ playable: true, references: [{ instances: 0, ok: null }] })
    const answers = tried.trials.map(({ instance }) => ({
      ok: true as const,
      solution: { machine: (instance as { jobs: number[] }).jobs.map(() => 9) },
      steps: null,
    }))
    const judged = tried.withScripts(new Map([['s', answers]]))
    expect(judged).toMatchObject({ playable: false, references: [{ refused: 8, ok: false }] })
  })

  test('a reference that finds more than the short search raises what the others have to reach', () => {
    const nothing = 'reference "nothing" greedy 0.1 { left = [] }'
    const tried = triedOut(`${partition}${nothing}\nreference "s" good javascript {{ }}`, {
      solutions: 1,
      variations: 0,
    })
    const answers = tried.trials.map(({ instance }) => {
      const { weights } = instance as { weights: number[] }
      const sum = (left: readonly number[]): number => left.reduce((all, i) => all + weights[i - 1]!, 0)
      const half = sum(weights.map((_, i) => i + 1)) / 2
      let left: readonly number[] = []
      for (let subset = 0; subset < 2 ** weights.length; subset++) {
        const chosen = weights.flatMap((_, i) => ((subset >> i) & 1 ? [i + 1] : []))
        if (sum(chosen) <= half && sum(chosen) > sum(left)) left = chosen
      }
      return { ok: true as const, solution: { left }, steps: null }
    })
    const [before] = tried.test.references
    const [after, script] = tried.withScripts(new Map([['s', answers]])).references
    expect(script).toMatchObject({ ok: true, refused: 0 })
    expect(after!.best).toBe(script!.quality)
    expect(after!.best).toBeGreaterThan(before!.best!)
  })

  test('a solution of a reference beyond the bound shows that the bound is wrong', () => {
    // Wrong only for a solution that neither chance nor a few variations find.
    const rare = 'if solution.machine = [m for m at i in solution.machine where (1 + i mod config.machines) = m] then'
    const wrong = machines
      .replace('measure = ', `measure = ${rare} 1/1000 else `)
      .replace('quality = 1 }', 'quality = 1 }')
    const { test } = triedOut(`${wrong}reference "in turn" good { ${spreadOut} }`)
    expect(test.bound.counterexample).not.toBeNull()
    expect(codesOf(test)).toEqual(['bound-wrong'])
  })
})
