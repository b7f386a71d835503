import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { config, mapProblem } from '../../../main/referees/cops/config.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { RING_TOWN } from '../../unit/cops/stage.ts'
import { saying } from '../../refusal.ts'

const folder = temporaryFolder('cops-maps')

const nodes = (lines: string): string => RING_TOWN.replace('nod/', `${lines}nod/`)
const edges = (lines: string): string => RING_TOWN.replace('edg/', `${lines}edg/`)
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

const maps: readonly (readonly [what: string, text: string, why: RegExp])[] = [
  ['1001 intersections', nodes(numbered(981, (at) => `nod: x${at} ordinary 1 1`)), /more than 1,000 lines/],
  ['30,000 intersections', nodes(numbered(30_000, (at) => `nod: x${at} ordinary 1 1`)), /more than 1,000 lines/],
  ['1001 streets', edges(numbered(979, (at) => `edg: r0 r${at % 20} car`)), /more than 1,000 lines/],
  ['1000 streets from places to themselves', edges(numbered(978, () => 'edg: r0 r0 foot')), /from r0 to itself/],
  ['equal names', nodes('nod: r0 ordinary 1 1\n'), /\br0\b.*\btwice\b/],
  ['names of 101 characters', nodes(`nod: ${'x'.repeat(101)} ordinary 1 1\n`), /more than 100 characters/],
  ['a name of 500,000 characters', nodes(`nod: ${'x'.repeat(500_000)} ordinary 1 1\n`), /more than 100 characters/],
  ['a name of the language itself', edges('edg: __proto__ constructor foot\n'), /\bintersection __proto__/],
  ['coordinates beyond 1023', nodes('nod: x ordinary 1024 0\n'), /"1024" is not a number from 0 to 1023/],
  ['islands', nodes(numbered(900, (at) => `nod: x${at} ordinary 1 1`)), /\bx0\b.*\bon foot\b/],
  ['900,000 empty lines', `wsk\\\n${'\n'.repeat(900_000)}`, /\bworld skeleton\b.*\bLine 2\b/],
  ['900,000 spaces', `wsk\\${' '.repeat(900_000)}`, /\bworld skeleton\b.*\bLine 1\b/],
  ['900,000 words', 'wsk\\ '.repeat(180_000), /\bworld skeleton\b.*\bLine 1\b/],
  ['control characters', RING_TOWN.replace('r1 ', 'r\u001b[2J '), /the character "\\u001b" cannot stand here/],
  ['no text', '', /\bworld skeleton\b.*\bLine 1, character 1: .*\bend of the message\b/],
]

describe('a hostile map', () => {
  test.each(maps)('%s: it is refused at once in a short text', (_, text, why) => {
    const from = performance.now()
    const problem = mapProblem(text)
    expect(problem).toMatch(why)
    expect(problem!.length).toBeLessThan(10_000)
    // A tenth of that on an idle machine.
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  test('more than a million characters are not looked at', () => {
    const parsed = config.safeParse({ map: `${RING_TOWN}${'x'.repeat(1_000_000)}` })
    expect(parsed.error?.issues).toMatchObject([{ path: ['map'], message: saying('map', '1,000,000 characters') }])
  })

  test('a name of the language itself is a name like any other', () => {
    const town = RING_TOWN.replaceAll(/\br4\b/g, '__proto__').replaceAll(/\br5\b/g, 'constructor')
    expect(mapProblem(town)).toBeNull()
  })

  test('play refuses it in one line', async () => {
    const play = async (text: string) => {
      const file = join(folder, 'map.wsk')
      writeFileSync(file, text)
      const cops = Array.from({ length: 5 }, () => ['--cop', 'true']).flat()
      return run('cops', 'play', '--map', file, '--robber', 'true', ...cops)
    }
    for (const text of ['x'.repeat(20_000_000), 'wsk\\\n\u001b[2J', '\u0000', edges('edg: r0 r0 car\n'.repeat(900))]) {
      const { code, stdout, stderr } = await play(text)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr.length).toBeLessThan(12_000)
      expect(stderr).toMatch(/[^.]\.\n$/)
      // eslint-disable-next-line no-control-regex -- these are what must not reach a terminal
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    }
  })
})
