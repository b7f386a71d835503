import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessage, type BotMessage, type Ptype } from '../../../grammars/cops/index.ts'
import { answer } from '../../../main/referees/cops/answer.ts'

const NAME_CHARACTERS = [...'-_#()abcxyzABCXYZ0189']

const name = fc
  .array(fc.constantFrom(...NAME_CHARACTERS), { minLength: 1, maxLength: 100 })
  .map((letters) => letters.join(''))
const ptype = fc.constantFrom<Ptype>('cop-foot', 'cop-car', 'robber')
const world = fc.integer({ min: 0, max: 200 })
const names = fc.array(name, { maxLength: 5 })
const botMove = fc.record({ bot: name, loc: name, ptype })
const moves = fc.array(botMove, { maxLength: 5 })

const message: fc.Arbitrary<BotMessage> = fc.oneof(
  fc.record({ type: fc.constant('register'), bot: name, ptype }),
  fc.record({
    type: fc.constant('inform'),
    informs: fc.array(
      fc.record({ bot: name, loc: name, ptype, world, certainty: fc.integer({ min: -100, max: 100 }) }),
      { maxLength: 5 },
    ),
  }),
  fc.record({
    type: fc.constant('plan'),
    plan: fc.array(fc.record({ bot: name, loc: name, ptype, world }), { maxLength: 5 }),
  }),
  fc.record({ type: fc.constant('vote'), ballot: names }),
  fc.record({ type: fc.constant('move'), loc: name, ptype }),
  fc.record({
    type: fc.constant('orders'),
    market: fc.constantFrom('turncoat' as const, 'straight-arrow' as const),
    moves,
    accuse: names,
  }),
  fc.record({ type: fc.constant('orders'), market: fc.constant(null), moves, accuse: fc.constant([]) }),
  fc.record({ type: fc.constant('bribe'), asks: fc.boolean() }),
  fc
    .record({
      type: fc.constant('robber-orders'),
      move: botMove,
      push: fc.option(fc.record({ bot: name, loc: name })),
      choose: fc.option(names),
    })
    .filter(({ push, choose }) => push === null || choose === null),
)

/** The lines of a message by section 3.2.2, each a list of words; written without the game's own code. */
function linesOf(said: BotMessage): readonly (readonly string[])[] {
  const section = (word: string, rows: readonly (readonly (string | number)[])[]) => [
    [`${word}\\`],
    ...rows.map((row) => [`${word}:`, ...row.map(String)]),
    [`${word}/`],
  ]
  const moved = ({ loc, ptype: type, bot }: { loc: string; ptype: string; bot: string }) => [loc, type, bot]
  switch (said.type) {
    case 'register':
      return [['reg:', said.bot, said.ptype]]
    case 'inform':
      return section(
        'inf',
        said.informs.map((each) => [each.bot, each.loc, each.ptype, each.world, each.certainty]),
      )
    case 'plan':
      return section(
        'plan',
        said.plan.map((each) => [each.bot, each.loc, each.ptype, each.world]),
      )
    case 'vote':
      return section(
        'vote',
        said.ballot.map((each) => [each]),
      )
    case 'move':
      return [['mov:', said.loc, said.ptype]]
    case 'orders': {
      const own = section('mov', said.moves.map(moved))
      if (said.market === null) return own
      const accused = section(
        'acc',
        said.accuse.map((each) => [each]),
      )
      return [['cmov\\'], [`${said.market}:`], ...own, ...accused, ['cmov/']]
    }
    case 'bribe':
      return [[said.asks ? 'bribe:' : 'nobribe:']]
    case 'robber-orders': {
      const { move, push, choose } = said
      const deed =
        push !== null
          ? [['psh:', push.bot, push.loc]]
          : choose === null
            ? [['nobribe:']]
            : section(
                'chc',
                choose.map((each) => [each]),
              )
      return [['rmov\\'], ['mov:', ...moved(move)], ...deed, ['rmov/']]
    }
  }
}

const textOf = (lines: readonly (readonly string[])[]): string => lines.map((line) => `${line.join(' ')}\n`).join('')

test('every message is read as it was meant, with any separators and line ends', () => {
  fc.assert(
    fc.property(message, fc.infiniteStream(fc.boolean()), (said, coins) => {
      const text = textOf(linesOf(said))
        .replaceAll(' ', () => (coins.next().value === true ? '\t' : ' '))
        .replaceAll('\n', () => (coins.next().value === true ? '\r\n' : '\n'))
      const read = readMessage(text)
      expect(read).toEqual({ value: said })
      // Scripts and people answer with such values: the limits are the same.
      expect(answer.safeParse(said).success).toBe(true)
    }),
    { numRuns: 300 },
  )
})

/** Texts that break a message at any place. */
const spoilers: readonly ((words: readonly string[], at: number) => string)[] = [
  // Two separators, one in front, one behind, a return that does not end a line.
  (words, at) => `${words.slice(0, at + 1).join(' ')}  ${words.slice(at + 1).join(' ')}\n`,
  (words) => ` ${words.join(' ')}\n`,
  (words) => `${words.join(' ')}\t\n`,
  (words) => `${words.join(' ')}\r\r\n`,
  (words) => `${words.join(' ')}\r`,
  (words) => `\n${words.join(' ')}\n`,
  // A word too much, a word too few, and one that is too long.
  (words) => `${words.join(' ')} x\n`,
  (words) => (words.length === 1 ? '' : `${words.slice(0, -1).join(' ')}\n`),
  (words, at) => `${words.map((word, place) => (place === at ? 'x'.repeat(101) : word)).join(' ')}\n`,
  (words, at) => `${words.map((word, place) => (place === at ? 'é' : word)).join(' ')}\n`,
  (words, at) => `${words.map((word, place) => (place === at ? '' : word)).join(' ')}\n`,
]

test('a message is refused, with its line, if any line of it is spoilt', () => {
  fc.assert(
    fc.property(message, fc.nat(), fc.nat(), fc.constantFrom(...spoilers), (said, line, word, spoil) => {
      const lines = linesOf(said)
      const spoilt = line % lines.length
      const words = lines[spoilt]!
      const broken = lines
        .map((each, at) => (at === spoilt ? spoil(words, word % words.length) : textOf([each])))
        .join('')
      expect(readMessage(broken)).toEqual({
        problem: expect.stringMatching(/^Line \d+, character \d+: .*\.$/s) as unknown,
      })
    }),
    { numRuns: 1_000 },
  )
})

const sections: readonly (readonly [word: string, row: string, before: string, after: string])[] = [
  ['inf', 'a b robber 0 0', '', ''],
  ['plan', 'a b robber 0', '', ''],
  ['vote', 'a', '', ''],
  ['mov', 'a robber b', '', ''],
  ['mov', 'a robber b', 'cmov\\\nturncoat:\n', 'acc\\\nacc/\ncmov/\n'],
  ['acc', 'a', 'cmov\\\nturncoat:\nmov\\\nmov/\n', 'cmov/\n'],
  ['chc', 'a', 'rmov\\\nmov: a robber b\n', 'rmov/\n'],
]

test.each(sections)('the section %s has at most 1000 lines', (word, row, before, after) => {
  const withLines = (count: number): string =>
    `${before}${word}\\\n${`${word}: ${row}\n`.repeat(count)}${word}/\n${after}`
  expect(readMessage(withLines(1_000))).toHaveProperty('value')
  expect(readMessage(withLines(1_001))).toHaveProperty('problem', expect.stringContaining('more than 1,000 lines'))
})

test.each([
  ['0', '-0', true],
  ['200', '100', true],
  ['200', '-100', true],
  ['0'.repeat(97) + '200', '-' + '0'.repeat(96) + '100', true],
  ['0'.repeat(101), '0', false],
  ['201', '0', false],
  ['-0', '0', false],
  ['-1', '0', false],
  ['1.0', '0', false],
  ['0x1', '0', false],
  ['1', '101', false],
  ['1', '-101', false],
  ['1', '--1', false],
  ['1', '1-', false],
  ['1', '#1', false],
])('an inform of world %j with certainty %j: legal is %j', (at, certainty, legal) => {
  expect('value' in readMessage(`inf\\\ninf: a b cop-car ${at} ${certainty}\ninf/\n`)).toBe(legal)
})
