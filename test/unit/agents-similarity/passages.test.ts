import { mkdirSync, writeFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { comparedCode, similarPairsOfClass } from '../../../main/services/agents/similarity/class-similarity.ts'
import { classesIn, earlierClasses } from '../../../main/services/agents/similarity/earlier-classes.ts'
import { fingerprintsOf, gramPrints } from '../../../main/services/agents/similarity/fingerprints.ts'
import { codeTokens } from '../../../main/services/agents/similarity/code-tokens.ts'
import { commonPassages } from '../../../main/services/agents/similarity/passages.ts'
import { codeFile } from '../../../main/services/agents/similarity/source-code.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { piecesOf } from '../../../renderer/screens/agents/compared-code.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const kit = `const rest = (all, mine) => all.map((count, type) => Math.max(0, count - mine[type] * 2)).filter((left) => left > 1)
`
const idea = `function idea(values, turn) {
  const sorted = values.map((value, type) => ({ value, type })).sort((a, b) => a.value - b.value)
  for (const { type } of sorted) if (turn < 4 && values[type] / 2 > sorted.length) values[type] = Math.abs(values[type] - 1)
  return values.reduce((sum, each) => sum + each * turn, 0) % 7
}
`
const alone = `class Alone { pick(list) { let at = list.length >> 1; while (at-- > 0) { if (list[at] ^ 3) break } return new Map([[at, list.slice(at)]]) } }
`

test('passages in common are found where they stand, whatever names and comments are; code of all is not marked', async () => {
  const renamed = idea.replaceAll(/\b(idea|values|sorted|turn|each)\b/g, 'my_$1').replaceAll('\n', ' // mine\n')
  const one = [codeFile('a.js', kit + alone + idea)]
  const other = [codeFile('b.js', 'let first = 1\n'), codeFile('c.js', kit + renamed)]
  const common = await fingerprintsOf(kit)
  const passages = commonPassages(one, other, common)
  expect(passages).toHaveLength(1)
  const [[mine, theirs]] = passages as [(typeof passages)[number]]
  expect([mine.file, theirs.file]).toEqual([0, 1])
  const text = one[0]!.text.slice(mine.from, mine.to)
  expect(text).toContain('sorted.length')
  expect(text).toContain('% 7')
  expect(text).not.toContain('class Alone')
  expect(text).not.toContain('Math.max')
  expect(other[1]!.text.slice(theirs.from, theirs.to)).toContain('my_sorted.length')
  // Without the code of all, its passage is one too.
  const both = commonPassages(one, other, new Set())
  expect(both.some(([{ from, to }]) => one[0]!.text.slice(from, to).includes('Math.max'))).toBe(true)
  expect(commonPassages([codeFile('a.js', alone)], [codeFile('b.js', idea)], new Set())).toEqual([])
})

test('the hashes of all passages are those of which fingerprints are kept', async () => {
  const all = new Set(gramPrints([...codeTokens(kit + idea + alone)]))
  for (const print of await fingerprintsOf(kit + idea + alone)) expect(all.has(print)).toBe(true)
})

test('pieces of a text are the text, each in one passage at most', () => {
  const span = (from: number, to: number, file = 0) => ({ file, from, to })
  const sides = [[{ path: 'a.js', text: '0123456789' }], [{ path: 'b.js', text: 'abcdefghij' }]] as const
  const compared = {
    sides,
    passages: [
      [span(2, 5), span(0, 4)],
      [span(7, 9), span(2, 6)],
    ],
  } as const
  const texts = ([0, 1] as const).map((side) =>
    piecesOf(compared, side).flatMap(({ pieces }) => pieces.map(({ text, passage }) => [text, passage])),
  )
  expect(texts).toEqual([
    [
      ['01', null],
      ['234', 1],
      ['56', null],
      ['78', 2],
      ['9', null],
    ],
    [
      ['abcd', 1],
      ['ef', 2],
      ['ghij', null],
    ],
  ])
})

test('agents of earlier classes are compared too, not with one another, and shown side by side', async () => {
  const data = join(temporaryFolder('earlier'), 'data')
  const earlier = join(data, 'earlier')
  const put = async (folder: string, scripts: Readonly<Record<string, string>>) => {
    mkdirSync(folder, { recursive: true })
    const home = await openClassFolder(folder)
    for (const [name, text] of Object.entries(scripts)) {
      const bytes = Buffer.from(text)
      const { agent } = await storeAgent(folder, { kind: 'script', bytes })
      await home.change(({ agents }) => {
        const manifest = { name, game: 'haggle', kind: 'script' } as const
        agents.push({ hash: agent, manifest, submitted: '2026-01-01T00:00:00.000Z', smoke: null })
      })
    }
    return home
  }
  const baby = readFileSync(join(resources.agents, 'haggle', 'baby.js'), 'utf8')
  const home = await put(data, { anna: baby + idea + alone, baby })
  const old = await put(join(earlier, '2025'), {
    anna: `${baby}${idea}${alone}// handed in last year\n`,
    twin: idea + alone,
  })
  await old.close()
  writeFileSync(join(earlier, 'notes.txt'), 'no class')
  const classes = await earlierClasses(data)
  expect(classes.map(({ name }) => name)).toEqual(['2025'])
  expect((await classesIn(join(earlier, '2025'))).map(({ name }) => name)).toEqual(['2025'])
  const pairs = await similarPairsOfClass(home, classes)
  expect(pairs.map(({ names, earlier: from, same }) => [...names, from, same]).sort()).toEqual([
    ['anna', 'anna', '2025', false],
    ['anna', 'twin', '2025', false],
  ])
  expect(await similarPairsOfClass(home, [])).toEqual([])
  const { sides, passages } = await comparedCode(home, ['anna', 'twin'], classes[0]!)
  expect(sides[1]).toEqual([{ path: 'agent.js', text: idea + alone }])
  expect(passages.length).toBeGreaterThan(0)
  expect(hash('sha256', sides[0][0]!.text)).toBe(hash('sha256', baby + idea + alone))
  await expect(comparedCode(home, ['anna', 'nobody'], classes[0]!)).rejects.toMatchObject({ code: 'agent-unknown' })
  await home.close()
})
