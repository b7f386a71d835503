import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { filesOf, linkedScreens, openedFileKind, openFile, type OpenOptions } from '../../../main/desktop/open-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder = ''
let asked: unknown[] = []
beforeEach(() => {
  folder = temporaryFolder('open')
  asked = []
  same = []
})

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const agent = {
  name: 'my agent',
  game: 'specker',
  kind: 'script',
  school: null,
  versions: [],
  faults: 0,
  note: null,
} as const
let same: readonly string[] = []
const options = (over: Partial<OpenOptions> = {}): OpenOptions => ({
  service: {
    async openHistory(path) {
      asked.push(path)
      return { file: 'f/1' }
    },
    async takePackage(name, content) {
      let bytes = 0
      for await (const piece of content) bytes += piece.length
      return { file: `${name}, ${bytes} bytes` }
    },
    handlers: {
      'agents.look': async () => ({ name: 'a', agent: null, same }),
      'agents.submit': async (input) => {
        asked.push(input)
        return agent
      },
    },
  },
  chooseGame: async () => 'specker',
  ...over,
})

test('links of a command line lead to places in matches; all others do nothing', () => {
  const line = ['--x', 'tartaglia://match/week-1/4?move=37', 'tartaglia://settings', 'a.jsonl', 'https://example.org']
  expect(linkedScreens(line)).toEqual(['#/contests/week-1/matches/4?move=37'])
  expect(filesOf(['tartaglia://match/week-1/4.jsonl'], '/here')).toEqual([])
})

describe('files of a command line', () => {
  test('are those whose names end as ours do', () => {
    const line = ['--inspect=0', '.', 'a.jsonl', '/b/C.CHALLENGE', 'agent.js', 'notes.txt', '--x=y.jsonl', 'jsonl']
    expect(filesOf(line, '/here')).toEqual(['/here/a.jsonl', '/b/C.CHALLENGE', '/here/agent.js'])
  })
  test.skipIf(process.platform === 'win32')('may be named by addresses, as file managers of Linux name them', () => {
    const line = [
      'file:///b/a%20match.jsonl',
      'FILE:///b/ä.challenge',
      'file://localhost/b/c.jsonl',
      'file:///notes.txt',
    ]
    expect(filesOf(line, '/here')).toEqual(['/b/a match.jsonl', '/b/ä.challenge', '/b/c.jsonl'])
  })
  test('of other machines are not fetched', () => {
    const line = [
      'file://example.org/share/a.jsonl',
      'file:///a%2Fb.jsonl',
      'file://%/a.jsonl',
      'https://e.org/a.jsonl',
    ]
    expect(filesOf(line, '/here')).toEqual([])
  })
  test.each([
    ['x.jsonl', 'history'],
    ['x.js', 'agent'],
    ['x.zip', 'agent'],
    ['x.challenge', 'challenge'],
    ['x.toString', null],
    ['x', null],
  ])('%s: %s', (name, kind) => expect(openedFileKind(name)).toBe(kind))
})

describe('opening', () => {
  test('a history leads to its screen', async () => {
    const path = file('h.jsonl', 'line\n')
    expect(await openFile(path, options())).toEqual({ screen: '#/histories/file/f%2F1' })
    expect(asked).toEqual([path])
  })
  test('an agent is handed in and leads to its page', async () => {
    expect(await openFile(file('a.js', '1'), options())).toEqual({ screen: '#/agents/my%20agent' })
    const becomes = { what: 'agent', name: null }
    const handedIn = { file: 'a.js, 1 bytes', game: 'specker', belonging: {}, becomes, wait: false }
    expect(asked).toEqual([handedIn])
  })
  test('an agent that the class has is not handed in once more: that is said, over its page', async () => {
    same = ['anna']
    expect(await openFile(file('a.js', '1'), options())).toEqual({
      screen: '#/agents/anna',
      type: 'info',
      message: 'a.js has already been handed in.',
      detail: 'The class already has the same file as "anna".',
    })
    expect(asked).toEqual([])
  })
  test('nothing is handed in where no game was chosen', async () => {
    expect(await openFile(file('a.js', '1'), options({ chooseGame: async () => null }))).toBeNull()
    expect(asked).toEqual([])
  })
  test('a refusal is told in its own words', async () => {
    const service = {
      ...options().service,
      openHistory: async () => {
        throw new ExpectedError('usage', 'history-invalid', 'It holds no match.')
      },
    }
    expect(await openFile(file('h.jsonl', ''), options({ service }))).toEqual({
      type: 'error',
      message: 'h.jsonl cannot be opened.',
      detail: 'It holds no match.',
    })
  })
  test('a file that is not there is told by its name, without folders, as in all sentences of the window', async () => {
    const refused = await openFile(join(folder, 'gone.js'), options())
    expect(refused).toMatchObject({ type: 'error', detail: expect.stringContaining('gone.js') as string })
    expect(refused).not.toHaveProperty('detail', expect.stringContaining(folder))
  })
  test('a challenge is checked, and its errors are told with their places', async () => {
    const bad = await openFile(file('bad.challenge', 'nonsense\n'), options())
    expect(bad).toMatchObject({ type: 'error', message: 'bad.challenge has errors.' })
    expect(bad).toHaveProperty('detail', expect.stringMatching(/bad\.challenge:1:\d+: /))
    const good = join(import.meta.dirname, '../../../grammars/challenges/max-sat.challenge')
    expect(await openFile(good, options())).toMatchObject({
      type: 'info',
      message: 'The challenge max-sat has no errors.',
    })
  })
})
