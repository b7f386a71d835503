import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { MatchDetail, MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { textName, type TextSummary } from '../../../main/contract/procedures/class-texts.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import type { Input } from '../../../main/referees/punter/input.ts'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import { lineOf, type Digest } from '../../../renderer/games/punter/digests.ts'
import { previewOf, layoutOf } from '../../../renderer/games/punter/layout.ts'
import type { View } from '../../../renderer/games/punter/rules.ts'
import { settings } from '../../../renderer/games/punter/settings.ts'
import SettingsForm from '../../../renderer/games/punter/settings-form.svelte'
import { story } from '../../../renderer/games/punter/story.ts'
import SettingsFields from '../../../renderer/games/settings-fields.svelte'
import { configOf, initialOf, problemsOf } from '../../../renderer/games/settings-fields.ts'
import { newTextName, textEnding } from '../../../renderer/games/text-names.ts'
import { formatWords } from '../../../renderer/screens/contests/formats/format-forms.ts'
import { columnsOf } from '../../../renderer/screens/contests/standings/format-tables.ts'
import { roundsSettings } from '../../../main/referees/punter/choices.ts'
import { config, courseOf } from '../../../main/referees/punter/config.ts'
import { completed, mapText, pathMap, seatsOf } from '../punter/stage.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

afterEach(cleanup)

const names = ['Anna', 'Ben']
const complete = completed({ map: pathMap(4), futures: true, splurges: true })
const detail = {
  facts: { seats: seatsOf(2).map((seat) => ({ ...seat, name: names[seat.id]! })) },
  config: complete,
  seed: '',
} as unknown as MatchDetail
const inputs: readonly Input[] = [
  { type: 'ready', seat: 0, futures: [{ source: 0, target: 2 }] },
  { type: 'ready', seat: 1, futures: [] },
  { type: 'move', seat: 0, move: { claim: { source: 0, target: 1 } } },
  { type: 'move', seat: 1, move: { claim: { source: 1, target: 0 } } },
  { type: 'fault', seat: 0, fault: { kind: 'timeout', text: 'The agent gave no answer.' }, gone: false },
]
const events = inputs.map((input, n): MatchEvent => ({ n, at: n, kind: 'input', input: input as never }))

function told(viewer: Viewer) {
  const found = story(detail, viewer).stretch(0, null, events)
  expect(found.broken).toBeNull()
  return {
    lines: (found.digests as readonly Digest[]).map((digest) => lineOf(digest, (seat) => names[seat]!).text),
    view: found.viewAt(events.length) as View,
  }
}

describe('a match of Lambda Punter in the window', () => {
  test('is told in sentences, with the reason of what was refused', () => {
    expect(told('public').lines).toEqual([
      'Anna is ready and bets on 0 to 2.',
      'Ben is ready.',
      'Anna claims 0-1.',
      'Ben passes: The river 1-0 belongs to punter 0.',
      'Anna passes: The agent gave no answer.',
    ])
    expect(told('public').view.rivers).toMatchObject([{ river: 0, owner: 0 }])
  })

  test('hides from a viewer the futures of others', () => {
    const { view } = told(1)
    expect(view.punters[0]!.futures).toBeNull()
    expect(story(detail, 1).amount(-7, 0, view)).toBeNull()
    expect(story(detail, 0).amount(-7, 0, told(0).view)).toBe('-7')
  })

  test('is drawn in the proportions of its map, or as a circle', () => {
    const at = (x: number, y: number, id: number) => ({ id, x, y })
    const sites = [at(10, 10, 0), at(30, 10, 1), at(10, 20, 2)]
    const map = JSON.stringify({ sites, rivers: [{ source: 0, target: 1 }], mines: [1] })
    expect(layoutOf(courseOf({ map, repair: false })).sites).toEqual([
      { id: 0, x: 0, y: 0, isMine: false },
      { id: 1, x: 1, y: 0, isMine: true },
      { id: 2, x: 0, y: 0.5, isMine: false },
    ])
    const circle = layoutOf(courseOf({ map: mapText([0, 1], [[0, 1]], [0]), repair: false })).sites
    expect(circle.map(({ x }) => x)).toEqual([1, 0])
  })
})

describe('the settings of Lambda Punter', () => {
  test('have a field for each of the config, and describe a config', () => {
    const given = settings.config({ ...settings.initial, map: pathMap(2), splurges: true })
    expect(config.parse(given)).toEqual(completed({ map: pathMap(2), splurges: true }))
    expect(settings.words({ map: 'grid', edition: '1.0' }).map(([label]) => label)).not.toContain('Futures')
  })

  test('offer the maps of the game and of the class, add one from a file, and delete it', async () => {
    const texts: TextSummary[] = [
      { name: 'grid', own: false, bytes: 10 },
      { name: 'path', own: true, bytes: 10 },
    ]
    vi.mocked(call as (name: string, input: { name?: string; text?: string }) => Promise<unknown>).mockImplementation(
      (name, { name: called = '', text = '' }) => {
        if (name === 'texts.list') return Promise.resolve([...texts])
        if (name === 'texts.delete')
          return Promise.resolve(
            texts.splice(
              texts.findIndex((text) => text.name === called),
              1,
            ),
          ).then(() => null)
        if (text === '{}') return Promise.reject(new CallFailure({ code: 'refused', message: 'This is not a map.' }))
        const added = { name: called, own: true, bytes: text.length }
        texts.push(added)
        return Promise.resolve(added)
      },
    )
    render(SettingsForm, { settings: settings.initial, problems: {} })
    await screen.findByText('path (of this class)')
    const choose = async (...files: readonly File[]): Promise<void> => {
      await fireEvent.change(screen.getByLabelText('Map from a file'), { target: { files } })
    }
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'grid')
    await choose(new File([pathMap(3)], 'Path.json'))
    await screen.findByText('path-2 (of this class)')
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'path-2')
    await choose(new File(['{}'], 'none.json'))
    expect(await screen.findByText('This is not a map.')).toBeTruthy()
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'path-2')

    await fireEvent.click(screen.getByText('Delete “path-2”…'))
    await fireEvent.click(await screen.findByText('Delete “path-2”'))
    await vi.waitFor(() => expect(screen.queryByText('path-2 (of this class)')).toBeNull())
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'grid')
    expect(screen.queryByText(/^Delete “/)).toBeNull()
    expect(texts.map(({ name }) => name)).toEqual(['grid', 'path'])
  })

  test('take a file that is given before the maps are known, under a free name', async () => {
    const texts: TextSummary[] = [{ name: 'path', own: true, bytes: 10 }]
    let list = (): void => undefined
    let asked = 0
    const held = new Promise<void>((resolve) => (list = resolve))
    vi.mocked(call as (name: string, input: { name?: string }) => Promise<unknown>).mockImplementation(
      async (name, { name: called = '' }) => {
        if (name === 'texts.list') {
          asked += 1
          await held
          return [...texts]
        }
        if (texts.some((each) => each.name === called))
          throw new CallFailure({ code: 'refused', message: 'The name is taken.' })
        const added = { name: called, own: true, bytes: 10 }
        texts.push(added)
        return added
      },
    )
    render(SettingsForm, { settings: settings.initial, problems: {} })
    const file = new File([pathMap(3)], 'Path.json')
    await fireEvent.change(screen.getByLabelText('Map from a file'), { target: { files: [file] } })
    await vi.waitFor(() => expect(asked).toBe(2), { timeout: 30_000 })
    list()
    await screen.findByText('path-2 (of this class)')
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'path-2')
  })

  test.each([
    ['{"rows": []}', '.json,application/json,.xml,text/xml', '.json'],
    ['\n<?xml version="1.0"?>', '.json,application/json,.xml,text/xml', '.xml'],
    ['<wsk', '.wsk,text/plain', '.wsk'],
  ])('%j is saved in a file with the right ending', (text, accept, ending) => {
    expect(textEnding(text, accept)).toBe(ending)
  })

  test.each([
    ['City of Oxford (2).json', 'city-of-oxford-2'],
    ['Zürich.json', 'zurich'],
    ['…', 'text'],
    ['grid.json', 'grid-3'],
    [`${'a'.repeat(100)}.json`, 'a'.repeat(59)],
  ])('a file %s is called %s', (file, name) => {
    expect(newTextName(file, ['grid', 'grid-2'])).toBe(name)
    expect(textName.safeParse(name).success).toBe(true)
  })
})

describe('contests in rounds in the window', () => {
  const [rounds] = settings.formats!
  const given = { ...initialOf(rounds!.fields), rounds: 2 }

  test('have fields for the maps of each round that there is', () => {
    expect(rounds!.fields.map(({ name }) => name)).toEqual(['rounds', 'seats', 'games', 'small', 'larger', 'fiendish'])
    expect(configOf(rounds!.fields, given)).toEqual({
      rounds: 2,
      seats: 4,
      games: 4,
      small: ['lambda', 'sierpinski'],
      larger: ['web', 'town'],
    })
    expect(roundsSettings.safeParse(configOf(rounds!.fields, given)).success).toBe(true)
    expect(problemsOf(rounds!.fields, { ...given, small: [], fiendish: [] })).toEqual({ small: 'Choose at least one.' })
    expect(formatWords({ type: 'game', name: 'rounds', settings: { rounds: 1, small: ['web'] } }, [rounds!])).toEqual([
      ['Format', 'Rounds with median cuts'],
      ['Rounds', '1'],
      ['Punters in a game', '4'],
      ['Games per punter and map', '4'],
      ['Maps of round 1', 'web'],
    ])
  })

  test('choose maps of the class; one that is gone stays chosen until somebody takes it away', async () => {
    vi.mocked(call).mockResolvedValue([
      { name: 'grid', own: false, bytes: 1 },
      { name: 'web', own: false, bytes: 1 },
    ] satisfies TextSummary[])
    render(SettingsFields, { fields: rounds!.fields, settings: { ...given, small: ['web', 'gone'] }, problems: {} })
    const maps = within(screen.getByRole('group', { name: 'Maps of round 1' }))
    const chosen = (): readonly string[] =>
      maps.getAllByRole('checkbox', { checked: true }).map((box) => box.closest('label')!.textContent.trim())
    await maps.findByLabelText('grid')
    expect(chosen()).toEqual(['web', 'gone'])
    await fireEvent.click(maps.getByLabelText('grid'))
    await fireEvent.click(maps.getByLabelText('gone'))
    expect(chosen()).toEqual(['grid', 'web'])
  })

  test('show the rows of their tables as they are, the agent first', () => {
    const rows = [
      { rank: 1, agent: 'Anna', points: 8, next: 'yes' },
      { rank: 2, agent: 'Ben', points: 4, next: 'no' },
    ]
    const columns = columnsOf(rows)
    expect(columns.map(({ label, numeric = false }) => [label, numeric])).toEqual([
      ['Agent', false],
      ['Rank', true],
      ['Points', true],
      ['Next', false],
    ])
    expect(columns.map((column) => column.text(rows[1]!))).toEqual(['Ben', '2', '4', 'no'])
  })
})

describe('a map that is made in the window', () => {
  test('is previewed as its options change, added to the class, and chosen', async () => {
    const added: { readonly name: string; readonly text: string }[] = []
    vi.mocked(call).mockImplementation((name, input) => {
      if (name === 'texts.add') added.push(input as { name: string; text: string })
      const all = [{ name: 'grid', own: false, bytes: 1 }, ...added.map(({ name }) => ({ name, own: true, bytes: 1 }))]
      return Promise.resolve(name === 'texts.add' ? all.at(-1) : all) as never
    })
    render(SettingsForm, { settings: settings.initial, problems: {} })
    const details = screen.getByText('Make a map').closest('details')!
    details.open = true
    await fireEvent(details, new Event('toggle'))
    expect(await screen.findByText('100 sites, 176 rivers, 4 mines')).toBeTruthy()
    await fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'web' } })
    await fireEvent.input(screen.getByLabelText('Sites at most'), { target: { value: '41' } })
    expect(await screen.findByText('37 sites, 72 rivers, 4 mines')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Add it to the class' }))
    await screen.findByText('web-37 (of this class)')
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'web-37')
    expect(added).toEqual([{ game: 'punter', field: 'map', name: 'web-37', text: expect.any(String) }])
    expect(config.safeParse({ map: added[0]!.text }).success).toBe(true)
  })

  test('is drawn in a box around all of its sites', () => {
    const sites = [
      { id: 7, x: 2, y: 1 },
      { id: 3, x: 12, y: -3 },
    ]
    expect(previewOf({ sites, rivers: [{ source: 7, target: 3 }], mines: [3] })).toEqual({
      box: '1.5 -3.5 11 5',
      rivers: 'M2 1L12 -3',
      mines: [{ x: 12, y: -3 }],
      mine: 10 / 60,
    })
  })
})
