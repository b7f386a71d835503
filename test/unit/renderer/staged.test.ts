import { describe, expect, test } from 'vitest'
import {
  namesFor,
  sameAs,
  standingOf,
  type KnownAgent,
  type Staged,
} from '../../../renderer/screens/agents/staged-files.ts'

const staged = (path: string, more: Partial<Staged> = {}): Staged => ({
  id: 0,
  file: new File(['x'], path),
  path,
  uploaded: `upload of ${path}`,
  looked: { name: path.split('/').at(-1)!.replace(/\..*/, ''), agent: null, same: [] },
  name: 'anna',
  isVersion: false,
  ...more,
})
const known = (name: string, game = 'specker'): KnownAgent => ({ name, game, versions: [] })

describe('names for files', () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ['anna.js', 'José.js'],
      ['anna', 'José'],
    ],
    [
      ['bot.js', 'bot.js', 'bot.js'],
      ['bot', 'bot 2', 'bot 3'],
    ],
    [
      ['agent.cjs', 'agent (1).zip', 'my-agent.zip'],
      ['', '', ''],
    ],
    [
      ['7b/anna/agent.js', 'tartaglia-cows-python/agent.py', 'bert/tartaglia-cows-python/my-agent.py'],
      ['anna', '', 'bert'],
    ],
    [
      ['7b/anna/agent.js', '7b/bert/agent.js'],
      ['anna', 'bert'],
    ],
    [
      ['7b/anna/src/agent.js', '7b/bert/src/agent.js'],
      ['anna', 'bert'],
    ],
    [
      ['Müller Łukasz_12_assign/agent.js', 'O’Brien_13_assign/agent.js', 'x/main.js'],
      ['Müller Łukasz_12_assign', 'O’Brien_13_assign', 'main'],
    ],
    [
      ['a/agent.js', 'A/agent.js'],
      ['a', 'A 2'],
    ],
    [
      ['anna/agent.js', 'bert/agent.js', 'anna.js'],
      ['anna', 'bert', 'anna 2'],
    ],
  ])('%j', (paths, names) => {
    expect(
      namesFor(
        paths.map((path) => staged(path)),
        [],
      ),
    ).toEqual(names)
  })
  test('are not names of files that are there already', () => {
    expect(namesFor([staged('anna.js')], ['ANNA'])).toEqual(['anna 2'])
  })
})

describe('a file', () => {
  const standing = (one: Partial<Staged>, agents: readonly KnownAgent[] = [], others: readonly Staged[] = []) => {
    const row = staged('x.js', one)
    return standingOf(row, [row, ...others], agents, 'specker')
  }
  test('of a new name is a new agent', () => {
    expect(standing({ name: ' Zoe\u0308 ' })).toEqual({ state: 'ready', becomes: { what: 'agent', name: 'Zo\u00eb' } })
  })
  test('of the kit’s name, or of none, waits for a name, unless it is a version of an agent of that name', () => {
    for (const name of ['', ' ', 'my-agent', 'Agent', 'agent-2'])
      expect(standing({ name })).toMatchObject({ state: 'wrong' })
    expect(standing({ name: 'agent smith' })).toMatchObject({ state: 'ready' })
    const old = known('my-agent')
    expect(standing({ name: 'my-agent' }, [old])).toEqual({ state: 'asks', known: old })
  })
  test('of a name that an agent has waits for the person, who says that it is a version', () => {
    const anna = known('Anna')
    expect(standing({}, [anna])).toEqual({ state: 'asks', known: anna })
    expect(standing({ isVersion: true }, [anna])).toEqual({ state: 'ready', becomes: { what: 'version', of: 'Anna' } })
    // A complaint about one name does not hold for another.
    expect(standing({ isVersion: true, name: 'bert' }, [anna])).toMatchObject({ becomes: { what: 'agent' } })
  })
  test.each([
    [{ name: '' }, /Type a name/],
    [{ name: 'a/b' }, /not "\/"/],
    [{ name: 'ANNA', isVersion: true }, /There already is an agent anna, for Haggling/],
  ])('%j cannot be handed in', (one, problem) => {
    expect(standing(one, [known('anna', 'haggle')])).toMatchObject({
      state: 'wrong',
      problem: expect.stringMatching(problem) as string,
    })
  })
  test('of a name that another file has cannot be handed in', () => {
    expect(standing({ name: 'JOSÉ' }, [], [staged('y.js', { id: 1, name: 'José' })])).toMatchObject({ state: 'wrong' })
  })
  test('is said to have the very same bytes as another, here or in the class', () => {
    const twin = { name: 'agent', agent: 'a'.repeat(64), same: ['bert', 'cleo'] }
    const row = staged('x.js', { looked: twin })
    const others = ['y.js', 'z.js'].map((path, at) => staged(path, { id: at + 1, looked: twin }))
    expect(sameAs(row, [row, ...others])).toBe('Identical to bert, cleo, y.js and 1 more.')
    expect(sameAs(staged('x.js'), [staged('y.js', { id: 1 })])).toBe('')
  })
})
