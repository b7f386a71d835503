import { expect, test } from 'vitest'
import { readInPieces } from '../../../grammars/class-dictionary/read.ts'
import { parse, tokenize } from '../../../grammars/class-dictionary/parsing/recover.ts'
import { fuzzed, randomOf } from './fuzz.ts'

const origins = [
  { line: 1, column: 1, offset: 0 },
  { line: 7, column: 5, offset: 120 },
]

test('what is read in pieces, of whatever size, is what is read whole', () => {
  const random = randomOf(17)
  let same = 0
  let refused = 0
  for (let run = 0; run < 6_000; run++) {
    const text = Array.from({ length: 1 + (random() % 6) }, () => fuzzed(random)).join(random() % 2 === 0 ? '\n' : ' ')
    const at = origins[random() % 2]!
    const { source } = parse(tokenize(text, at, 'C'), at, 'C')
    const inPieces = readInPieces(text, at, 1 + (random() % 40))
    if (inPieces === null) {
      if (source === null) refused += 1
      continue
    }
    expect(inPieces, text).toEqual(source)
    same += 1
  }
  expect(same).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(100)
})

test('dots in comments, literals and names of packages do not end classes', () => {
  const at = origins[0]!
  const head = '// One. Two.\nimport a.b.*;\n'
  const text = `${head}${'A = "x.\\n" // It ends.\n  <b> B /* Not yet.\n\n . */ . B = "."\n*l.\r\n\r// C = .\n'.repeat(50)}`
  const { source, problems } = parse(tokenize(text, at, 'C'), at, 'C')
  expect(problems).toEqual([])
  // The head is one piece.
  for (let piece = head.length + 60; piece < 400; piece += 7) expect(readInPieces(text, at, piece)).toEqual(source)
  expect(readInPieces(text, at, text.length)).toBeNull()
})

test.each([
  ['a character without a meaning', '?'],
  ['a comment that is not closed', '/* A = .'],
  ['a literal that is not closed', 'A = "\n.'],
  ['half a character', 'A = "\ud800".'],
  ['parentheses nested too deep', `A = ${'List('.repeat(101)}`],
  ['a class without its dot', 'A = B'],
])('a long text with %s is left to be read whole', (_, bad) => {
  const at = origins[0]!
  const good = 'A = <x> B.\n'.repeat(20)
  expect(readInPieces(good, at, 20)).not.toBeNull()
  for (const text of [good + bad, `${good}\n${bad}\n${good}`, `${bad}\n${good}`]) {
    expect(readInPieces(text, at, 20)).toBeNull()
  }
})
