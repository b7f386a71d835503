import { expect, test } from 'vitest'
import type { NewRuling } from '../../../main/contract/contests/rulings.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { countRulings } from '../../../main/services/cases/count-rulings.ts'
import type { KeptCase } from '../../../main/services/cases/kept-case.ts'
import { appealedCase, heard, wholeCase, type Growing } from './record.ts'

const fatal = (error: unknown): never => {
  throw error
}

const keptOf = ({ state, entries }: Growing): KeptCase => ({
  ...{
    id: 'case-1',
    path: '',
    secrets: { people: {}, seeds: ['', ''] },
    entries,
    state,
    length: 0,
    damage: null,
    entered: null,
  },
})

test('a ruling is counted once, when the contest takes it, and an appeal reverses it there', async () => {
  const whole = wholeCase()
  const told: NewRuling[] = []
  let isPlaying = true
  const counted = countRulings(
    { kept: new Map([['case-1', keptOf(whole)]]) },
    async (contest, ruling) => {
      expect(contest).toBe('week-1')
      if (isPlaying) throw new ExpectedError('usage', 'contest-running', 'It is being played.')
      return { number: told.push(ruling) }
    },
    fatal,
  )
  await counted.count()
  expect([told, counted.problem('case-1', 'educator')]).toEqual([[], 'It is being played.'])
  isPlaying = false
  // The end of another contest changes nothing.
  counted.retry('week-2')
  await Promise.resolve()
  expect(told).toEqual([])
  counted.retry('week-1')
  await Promise.all([counted.count(), counted.count()])
  expect(counted.problem('case-1', 'educator')).toBeNull()
  const [first, second] = whole.state.rulings.map(({ n }) => whole.entries[n - 1]!.h)
  expect(told).toMatchObject([
    { case: 'case-1', entry: first, remedies: whole.state.filed.asks },
    { case: 'case-1', entry: second, remedies: [], reverses: 1 },
  ])
  expect(told[0]).not.toHaveProperty('reverses')
})

test('a ruling that the contest never counts does not keep back the ruling of its appeal', async () => {
  const whole = wholeCase()
  const [first, second] = whole.state.rulings
  whole.state = { ...whole.state, rulings: [first!, { ...second!, penalty: whole.state.filed.asks }] }
  const told: NewRuling[] = []
  const counted = countRulings(
    { kept: new Map([['case-1', keptOf(whole)]]) },
    async (_, ruling) => {
      if (ruling.entry === whole.entries[first!.n - 1]!.h)
        throw new ExpectedError('usage', 'entrant-unknown', 'There is no such entrant.')
      return { number: told.push(ruling) }
    },
    fatal,
  )
  await counted.count()
  expect(counted.problem('case-1', 'educator')).toBeNull()
  expect(told).toMatchObject([{ entry: whole.entries[second!.n - 1]!.h }])
  expect(told[0]).not.toHaveProperty('reverses')
})

test('students do not read the paths of a disk that fails, and read why a contest waits', async () => {
  const path = '/class/contests/week-1/rulings.jsonl'
  for (const [error, told] of [
    [new MachineError(`${path} could not be written.`, path, 'disk-full'), false],
    [new ExpectedError('usage', 'contest-running', 'It is being played.'), true],
  ] as const) {
    const refuse = (): Promise<never> => Promise.reject(error)
    const counted = countRulings({ kept: new Map([['case-1', keptOf(wholeCase())]]) }, refuse, fatal)
    await counted.count()
    expect(counted.problem('case-1', 'educator')).toBe(error.message)
    expect(counted.problem('case-1', 'student')).not.toContain(path)
    expect(counted.problem('case-1', 'student') === error.message).toBe(told)
  }
})

test('an appeal without a quorum changes nothing in the contest', async () => {
  const growing = appealedCase((_, question) => (question === 'broken' ? 'yes' : '1'))
  growing.draw()
  for (let deadlines = 0; deadlines < 3; deadlines++) growing.lapse()
  expect(growing.state.stage).toBe('closed')
  const told: NewRuling[] = []
  const kept = new Map([['case-1', keptOf(growing)]])
  await countRulings({ kept }, async (_, ruling) => ({ number: told.push(ruling) }), fatal).count()
  expect(told).toMatchObject([{ remedies: growing.state.filed.asks }])
  expect(told[0]).not.toHaveProperty('reverses')
})

test('a complaint that failed tells the contest nothing', async () => {
  const growing = heard()
  growing.lapse()
  growing.vote((_, question) => (question === 'broken' ? 'no' : '1'))
  growing.lapse()
  growing.lapse()
  expect(growing.state.outcome).toBe('rejected')
  const counted = countRulings(
    { kept: new Map([['case-1', keptOf(growing)]]) },
    () => {
      throw new Error('nothing to tell')
    },
    fatal,
  )
  await counted.count()
})

test('a ruling that another case finds wrong is reversed in the contest, once that case is final', async () => {
  const upheld = (quorum: number): Growing => {
    const growing = heard({ quorum })
    growing.lapse()
    growing.vote((_, question) => (question === 'broken' ? 'yes' : '1'))
    growing.lapse()
    return growing
  }
  const first = upheld(50)
  first.lapse()
  const second = upheld(34)
  const about = { what: 'ruling', case: 'case-1' } as const
  const later = (): KeptCase => ({
    ...keptOf(second),
    id: 'case-2',
    state: { ...second.state, filed: { ...second.state.filed, against: about } },
  })
  const kept = new Map([
    ['case-1', keptOf(first)],
    ['case-2', later()],
  ])
  const told: NewRuling[] = []
  let isPlaying = true
  const rule = async (_: string, ruling: NewRuling): Promise<{ readonly number: number }> => {
    if (isPlaying) throw new ExpectedError('usage', 'contest-running', 'It is being played.')
    return { number: told.push(ruling) }
  }
  const counted = countRulings({ kept }, rule, fatal)
  await counted.count()
  isPlaying = false
  await counted.count()
  // It can still be appealed.
  expect(told).toHaveLength(1)
  second.lapse()
  kept.set('case-2', later())
  isPlaying = true
  // A class that was opened again learns the number of the first one before it counts the second.
  const again = countRulings({ kept }, rule, fatal)
  await again.count()
  expect([again.problem('case-1', 'educator'), again.problem('case-2', 'educator')]).toEqual([
    'It is being played.',
    'It is being played.',
  ])
  isPlaying = false
  await counted.count()
  expect(told).toMatchObject([{ case: 'case-1' }, { case: 'case-2', reverses: 1 }])
  expect(told[0]).not.toHaveProperty('reverses')
})
