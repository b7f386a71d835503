import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { exportMatches, forged } from './random-histories.ts'
import { randomMatches } from './random-matches.ts'

const pages = join(import.meta.dirname, '../../../docs/replay')
const folder = temporaryFolder('replayers')
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Writes the program that a page prints. */
function print(page: string, program: string): void {
  const [, text = ''] = /```python\n(.*?)```/s.exec(readFileSync(join(pages, page), 'utf8')) ?? []
  writeFileSync(join(folder, program), text)
}

function replay(game: string, file: string): string {
  const { status, stdout, stderr } = spawnSync('python3', [join(folder, `${game}.py`), file], { encoding: 'utf8' })
  return status === 0 ? stdout : `refused: ${stderr}`
}

function replayText(game: string, text: string): string {
  const file = join(folder, 'forged.jsonl')
  writeFileSync(file, text)
  return replay(game, file)
}

describe.skipIf(!hasPython).each(Object.keys(randomMatches))(
  'the replayer in Python on the page of %s (needs python3)',
  (game) => {
    let files: readonly string[]
    let text: string

    beforeAll(async () => {
      print('README.md', 'history.py')
      print(`${game}.md`, `${game}.py`)
      files = await exportMatches(game, await randomMatches[game]!())
      text = readFileSync(files[0]!, 'utf8')
    })

    test('replays random matches to the same states and scores', () => {
      const scores = files.flatMap((file) => {
        const said = replay(game, file)
        expect(said).toMatch(/^ok: /)
        return (JSON.parse(/scores (.*)/.exec(said)![1]!) as number[]).map(Number)
      })
      expect(files.length).toBeGreaterThanOrEqual(repeats({ short: 4, long: 20 }))
      // Something happened in these matches.
      expect(new Set(scores).size).toBeGreaterThan(2)
    })

    test('refuses a changed byte', () => {
      expect(replayText(game, text.replace('"at":3', '"at":4'))).toMatch(/^refused: .*chain.*input/)
    })

    test('refuses another result with right hashes', () => {
      const other = forged(text, (body) => {
        if (body.k !== 'outcome') return body
        const { places, ...rest } = body['outcome'] as { places: { score: number }[] }
        const raised = places.map((place, seat) => (seat === 0 ? { ...place, score: place.score + 1 } : place))
        return { ...body, outcome: { ...rest, places: raised } }
      })
      expect(replayText(game, other)).toMatch(/^refused: the outcome/)
    })

    test('refuses a history with right hashes from which an input is missing', () => {
      let inputs = 0
      const other = forged(text, (body) => {
        if (body.k !== 'input') return body
        inputs += 1
        return inputs === 3 ? { ...body, k: 'fault' } : body
      })
      expect(replayText(game, other)).toMatch(/^refused: (?!Traceback)/)
    })
  },
)
