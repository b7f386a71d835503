import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'

const root = join(import.meta.dirname, '../../..')
const golden = join(root, 'test/conformance/specker/golden')
const folder = temporaryFolder('verifier')

/** The program that docs/histories.md prints. */
const program = /```python\n(.*?)```/s.exec(readFileSync(join(root, 'docs/histories.md'), 'utf8'))?.[1] ?? ''

function has(command: string, argument: string): boolean {
  return spawnSync(command, [argument]).status === 0
}

function verify(text: string): string {
  const [script, file] = [join(folder, 'verify.py'), join(folder, 'match.jsonl')]
  writeFileSync(script, program)
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync('python3', [script, file], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : (/AssertionError: (.*)/.exec(stderr)?.[1] ?? stderr)
}

/** For each game with inputs in docs/histories.md, the file of its inputs and the examples in its table. */
const documented = readFileSync(join(root, 'docs/histories.md'), 'utf8')
  .split(/^\*\*(?=[^*]+\*\* \(\[input\.ts\])/m)
  .slice(1)
  .map((section) => ({
    game: /^[^*]+/.exec(section)![0],
    file: /\]\(\.\.\/(main\/referees\/\w+\/input\.ts)\)/.exec(section)![1]!,
    examples: [...section.matchAll(/^\| `(\{.*?\})`/gm)].map(([, example = '']) => example.replaceAll('[...]', '[]')),
  }))

test.each(documented)('the inputs of $game are as docs/histories.md shows them', async ({ file, examples }) => {
  const { input } = (await import(join(root, file))) as { input: z.ZodType }
  expect(examples.length).toBeGreaterThan(1)
  for (const example of examples) expect(input.safeParse(JSON.parse(example)).error, example).toBeUndefined()
})

describe.skipIf(!has('python3', '--version') || !has('openssl', 'version'))(
  'the verifier in Python that docs/histories.md prints (needs python3, openssl)',
  () => {
    const files = readdirSync(golden).filter((file) => file.startsWith('history-') && file.endsWith('.jsonl'))
    const text = readFileSync(join(golden, 'history-1.jsonl'), 'utf8')

    test('accepts what the program has signed, and says whose key it was', () => {
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) {
        const key = readFileSync(join(golden, file.replace('.jsonl', '.pub')), 'utf8').trim()
        expect(verify(readFileSync(join(golden, file), 'utf8'))).toBe(`intact; signed by ${key}`)
      }
    })

    test('accepts an exported match of a contest with several, with secrets and redacted lines', async () => {
      const contest = {
        ...{ title: 'T', game: 'haggle', config: {}, format: { type: 'round-robin', seats: 2, repeats: 3 }, seed: 's' },
        isolation: 'permission',
        entrants: ['a', 'b'].map((name) => ({ name, agent: `${name}.js` })),
      }
      writeFileSync(join(folder, 'contest.json'), JSON.stringify(contest))
      for (const name of ['a', 'b']) {
        const agent = `module.exports = class { offer(o) { console.log('${name}'); return o === undefined ? undefined : undefined } }`
        writeFileSync(join(folder, `${name}.js`), agent)
      }
      const to = join(folder, 'out')
      const options = ['--data', join(folder, 'data'), '--export', to]
      expect((await run('contest', 'run', join(folder, 'contest.json'), ...options)).code).toBe(0)
      const exported = readdirSync(to).filter((file) => file.endsWith('.jsonl'))
      expect(exported.length).toBeGreaterThan(2)
      expect(exported.some((file) => readFileSync(join(to, file), 'utf8').includes('"k":"redacted"'))).toBe(true)
      for (const file of exported) expect(verify(readFileSync(join(to, file), 'utf8'))).toMatch(/^intact; signed by/)
    })

    test.each([
      ['an input', /"price":\d/, 'the chain at a input line'],
      ['the nonce', /"nonce":"\w/, 'the chain at a outcome line'],
      ['a blob', /max-csp/, 'the hash of a blob'],
      ['the root', /"root":"\w/, 'the chain at a proof line'],
      ['the signature', /"signature":"\w/, 'the chain at a proof line'],
    ])('finds a change of %s', (_, place, message) => {
      const changed = text.replace(place, (found) => `${found.slice(0, -1)}${found.endsWith('7') ? '8' : '7'}`)
      expect(changed).not.toBe(text)
      expect(verify(changed)).toBe(message)
    })

    test('finds a signature of somebody else, with a chain that is right', () => {
      const lines = text.trimEnd().split('\n')
      const body = lines
        .at(-1)!
        .slice(5, -72)
        .replace(/"signature":"../, '"signature":"00')
      const previous = /"h":"(\w+)"\}$/.exec(lines.at(-2)!)![1]!
      const last = `{"b":${body},"h":"${hash('sha256', `${previous}-${hash('sha256', body)}`)}"}`
      expect(verify(`${[...lines.slice(0, -1), last].join('\n')}\n`)).toBe('the signature')
    })
  },
)
