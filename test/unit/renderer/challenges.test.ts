import { afterEach, describe, expect, test } from 'vitest'
import knapsack from '../../../grammars/challenges/knapsack.challenge?raw'
import { readChallenge, surveyChallenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { pictureOf, rowsOf } from '../../../renderer/screens/challenges/classes.ts'
import { challengeDraftOf, keepDraft } from '../../../renderer/screens/challenge/drafts.ts'
import {
  freeChallengeName,
  nameFromFile,
  nameIn,
  nameProblem,
  proseIn,
  renamed,
} from '../../../renderer/screens/challenges/challenge-names.ts'
import type { WorkerReply, Checked, Sample } from '../../../renderer/challenge-worker/messages.ts'
import { samples } from '../../../renderer/challenge-worker/samples.ts'
import { triedGame } from '../../../renderer/challenge-worker/try-game.ts'
import { chartsOf, difficultyCharts } from '../../../renderer/screens/challenge/bars.ts'
import { createChecker, type ChallengeWorker } from '../../../renderer/challenge-worker/worker-client.ts'
import { template } from '../../../renderer/screens/challenges/template.ts'

/** 64 hexadecimal digits that follow from a text: here any will do. */
function hashOf(text: string): Promise<string> {
  let hash = 1n
  for (const sign of text) hash = (hash * 6364136223846793005n + BigInt(sign.charCodeAt(0))) % 2n ** 256n
  return Promise.resolve(((hash * 0x9e3779b97f4a7c15f39cc0605cedc835n) % 2n ** 256n).toString(16).padStart(64, '7'))
}

test('the template is a challenge without an error', () => {
  expect(readChallenge(template).problems).toEqual([])
})

describe('names', () => {
  test('are read and written in the head of a file', () => {
    expect(nameIn(knapsack)).toBe('knapsack')
    expect(nameIn('// a word first\n/* and\nmore */ challenge a-b "x"')).toBe('a-b')
    expect(nameIn('challenge A "x"')).toBeNull()
    expect(nameIn('')).toBeNull()
    expect(readChallenge(renamed(knapsack, 'my-sack')).challenge?.name).toBe('my-sack')
    expect(renamed('nothing', 'my-sack')).toBe('nothing')
  })
  test('are free, or told why not', () => {
    expect(freeChallengeName('knapsack', ['knapsack', 'knapsack-2'])).toBe('knapsack-3')
    expect(freeChallengeName('new', [])).toBe('challenge')
    expect(nameProblem(freeChallengeName('x'.repeat(64), ['x'.repeat(58)]), [])).toBe('')
    expect(nameProblem('Big', [])).not.toBe('')
    expect(nameProblem('new', [])).not.toBe('')
    expect(nameProblem('a', ['a'])).toContain('“a”')
    expect(nameFromFile('../Été 2 -- Bad.challenge')).toBe('t-2-bad')
  })
  test('the text for students is found however broken the rest is', () => {
    expect(proseIn('challenge ??\ntext {{\n  One.\n\n    Two.\n}}')).toBe('One.\n\n  Two.')
    expect(proseIn('text {{ never closed')).toBe('')
  })
})

describe('samples', () => {
  async function made(
    source: string,
    seed: string,
    count: number,
    parameters: Json = null,
  ): Promise<{ samples: Sample[]; last: WorkerReply }> {
    const all: WorkerReply[] = []
    for await (const answer of samples(source, { seed, count, effort: 300, parameters }, hashOf)) all.push(answer)
    return { samples: all.flatMap((one) => (one.kind === 'sampled' ? [one.sample] : [])), last: all.at(-1)! }
  }
  test('are the same for a seed, whatever the count, and never worse than the random solution', async () => {
    const three = await made(knapsack, 'a', 3)
    expect(three.last).toEqual({ kind: 'ended', failure: null })
    expect((await made(knapsack, 'a', 1)).samples).toEqual(three.samples.slice(0, 1))
    expect((await made(knapsack, 'b', 3)).samples).not.toEqual(three.samples)
    const challenge = readChallenge(knapsack).challenge!
    const config = challenge.config({})
    for (const { instance, best, random } of three.samples) {
      expect(best.number).toBeGreaterThanOrEqual(random.number)
      const [raw, solved] = [
        challenge.values.parse(instance, 'Instance'),
        challenge.values.parse(best.solution, 'Solution'),
      ]
      if (!raw.ok || !solved.ok || !config.ok) throw new Error('A sample is not a value of the challenge.')
      expect(challenge.feasible(config.value, raw.value, solved.value)).toBeNull()
    }
  })
  test('of a generator follow its parameters, and say nothing of the planted solution', async () => {
    const { samples: small } = await made(knapsack, 'a', 2, { size: 5 })
    const { samples: large } = await made(knapsack, 'a', 2, { size: 100 })
    const items = ({ instance }: Sample): number => instance.split(' for ').length - 1
    expect([small.map(items), large.map(items)]).toEqual([
      [1, 1],
      [20, 20],
    ])
    for (const sample of large)
      expect(Object.keys(sample)).toEqual(['predicate', 'instance', 'random', 'best', 'picture'])
  })
  test('of a generator that is not there, or does not have a parameter, say why', async () => {
    const without =
      knapsack.slice(0, knapsack.indexOf('// The planted')) + knapsack.slice(knapsack.indexOf('reference'))
    expect((await made(without, 'a', 1, {})).last).toMatchObject({
      failure: expect.stringContaining('generate') as string,
    })
    const { last } = await made(knapsack, 'a', 1, { sise: 5 })
    expect(last).toMatchObject({ failure: expect.stringContaining('sise') as string })
  })
  test('that cannot be made say why', async () => {
    expect((await made('nothing', 'a', 1)).last).toMatchObject({ kind: 'ended', failure: expect.any(String) as string })
    const never = template.replace('Predicate.largest: range 1 50', 'Predicate.largest: range 2000 3000')
    const { samples: none, last } = await made(never, 'a', 1)
    expect(none).toEqual([])
    expect(last).toMatchObject({ failure: expect.stringMatching(/2\d\d\d|3000|1000/) as string })
  })
})

describe('a game is tried out', () => {
  const tried = async (source: string, settings: Json = {}): Promise<readonly WorkerReply[]> => {
    const replies: WorkerReply[] = []
    for await (const reply of triedGame({ source, settings }, hashOf, () => 0)) replies.push(reply)
    return replies
  }

  test('with a solved sample and the report of check', async () => {
    const [sample, tested, ended] = await tried(template)
    expect(sample).toMatchObject({ kind: 'sampled', sample: { picture: { kind: 'bars' } } })
    expect(tested).toMatchObject({
      kind: 'tried',
      test: { playable: true, complete: true, references: [{ ok: true }, { ok: true }] },
    })
    expect(ended).toEqual({ kind: 'ended', failure: null })
  })

  test('with the settings of a contest', async () => {
    const found = await tried(template, { most: 3 })
    const draws = { usual: { config: { most: 3 } } }
    expect(found.find(({ kind }) => kind === 'tried')).toMatchObject({ test: { draws } })
  })

  test('not if there are errors, or the settings are refused', async () => {
    const failure = expect.any(String) as string
    expect(await tried('nothing')).toEqual([{ kind: 'ended', failure }])
    expect(await tried(template, { most: 0 })).toEqual([
      { kind: 'ended', failure: expect.stringContaining('most') as string },
    ])
  })

  test('and its charts have bars from 0 to 1, with the line that a reference must reach', async () => {
    const tested = (await tried(template)).find((one) => one.kind === 'tried')
    const charts = chartsOf(tested!.test)
    const bars = charts.flatMap((chart) => chart.bars)
    expect(charts.map(({ bars }) => bars.length)).toEqual([4, 5, 3, 5, 2])
    for (const { share } of bars) expect(share).toBeGreaterThanOrEqual(0)
    for (const { share } of bars) expect(share).toBeLessThanOrEqual(1)
    const { share, best } = tested!.test.references[0]!
    expect(charts.at(-1)!.bars[0]!.mark).toBe(share * best!)
  })

  test('and the difficulty of its generator is drawn without the planted solutions', () => {
    const point = { value: 5, instances: 3, chance: 0.25, baby: 0.5, best: 0.75, planted: 0.99 }
    const [chart, ...others] = difficultyCharts({ curves: [{ parameter: 'size', points: [point] }] })
    expect(others).toEqual([])
    expect(chart!.title).toContain('size')
    expect(chart!.bars).toMatchObject([{ label: expect.stringMatching(/^5 .*25%/) as string, share: 0.75, mark: 0.25 }])
    expect(JSON.stringify(chart)).not.toContain('99')
    expect(difficultyCharts(null)).toEqual([])
  })
})

test('of texts that come while one is checked only the newest is, and only it is told of', () => {
  const asked: string[] = []
  let answer: (one: WorkerReply) => void = () => undefined
  const student: ChallengeWorker = {
    ask(question, listener) {
      asked.push(question.source)
      answer = listener
    },
    end: () => undefined,
  }
  const told: string[] = []
  const checker = createChecker(
    (_, source) => told.push(source),
    () => undefined,
    student,
  )
  const checked: WorkerReply & Checked = { kind: 'checked', ...surveyChallenge('') }
  checker.check('a')
  checker.check('b')
  checker.check('c')
  expect(asked).toEqual(['a'])
  answer(checked)
  expect([asked, told]).toEqual([['a', 'c'], []])
  answer(checked)
  expect(told).toEqual(['c'])
})

describe('classes', () => {
  test('stand in columns, and every row that leads to a class has a line', () => {
    const classes = surveyChallenge(knapsack).survey.classes!
    const { boxes, lines } = pictureOf(classes)
    expect(boxes.map(({ name }) => name)).toEqual(['Predicate', 'Instance', 'Solution', 'Item'])
    expect(boxes[3]!.x).toBeGreaterThan(boxes[0]!.x)
    expect(lines).toHaveLength(1)
    expect(rowsOf(classes[1]!)).toEqual([
      { label: 'capacity', type: 'int', target: null },
      { label: 'items', type: 'list of Item', target: 'Item' },
    ])
    const overlap = boxes.some((one) =>
      boxes.some(
        (other) => one !== other && one.x === other.x && one.y < other.y + other.height && other.y < one.y + one.height,
      ),
    )
    expect(overlap).toBe(false)
  })
  test('that hold one another are drawn once', () => {
    const tree =
      'Predicate = "p" <n> int. Instance = "i" <t> Tree. Solution = "s" <n> int. Tree : Leaf | Fork. Leaf = "l". Fork = "(" <left> Tree <right> Tree ")".'
    const { survey } = surveyChallenge(template.replace(/dictionary \{\{[^]*?\}\}/, `dictionary {{\n${tree}\n}}`))
    const { boxes, lines } = pictureOf(survey.classes!)
    expect(boxes.map(({ name }) => name).sort()).toEqual(['Fork', 'Instance', 'Leaf', 'Predicate', 'Solution', 'Tree'])
    expect(lines.filter(({ alternative }) => alternative)).toHaveLength(2)
    expect(lines).toHaveLength(5)
  })
})

describe('drafts', () => {
  afterEach(() => sessionStorage.clear())
  test('are kept by name until they are dropped', () => {
    const [a, b] = [
      { text: 'text', from: '1'.repeat(64) },
      { text: '', from: '' },
    ]
    keepDraft('a', a)
    keepDraft('b', b)
    expect([challengeDraftOf('a'), challengeDraftOf('b'), challengeDraftOf('c')]).toEqual([a, b, null])
    keepDraft('a', null)
    expect(challengeDraftOf('a')).toBeNull()
  })
  test('that have no room in the session are kept all the same', () => {
    const full = { text: 'x'.repeat(6_000_000), from: '' }
    keepDraft('a', full)
    expect(challengeDraftOf('a')).toBe(full)
    keepDraft('a', null)
    expect(challengeDraftOf('a')).toBeNull()
  })
})
