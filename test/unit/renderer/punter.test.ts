import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { textName, type MatchDetail, type MatchEvent, type TextSummary } from '../../../main/contract/procedures.ts'
import type { Viewer } from '../../../main/contract/viewer.ts'
import type { Input } from '../../../main/referees/punter/input.ts'
import { call, CallFailure } from '../../../renderer/client.ts'
import { lineOf, type Digest } from '../../../renderer/games/punter/digests.ts'
import { layoutOf } from '../../../renderer/games/punter/layout.ts'
import type { View } from '../../../renderer/games/punter/rules.ts'
import { settings } from '../../../renderer/games/punter/settings.ts'
import SettingsForm from '../../../renderer/games/punter/settings-form.svelte'
import { story } from '../../../renderer/games/punter/story.ts'
import { newTextName } from '../../../renderer/games/text-names.ts'
import { config, courseOf } from '../../../main/referees/punter/config.ts'
import { completed, mapText, pathMap, seatsOf } from '../punter/stage.ts'

vi.mock(import('../../../renderer/client.ts'), async (original) => ({ ...(await original()), call: vi.fn() }))

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

  test('offer the maps of the game and of the class, and add one from a file', async () => {
    const texts: TextSummary[] = [
      { name: 'grid', own: false, bytes: 10 },
      { name: 'path', own: true, bytes: 10 },
    ]
    vi.mocked(call as (name: string, input: { name?: string; text?: string }) => Promise<unknown>).mockImplementation(
      (name, { name: called = '', text = '' }) => {
        if (name === 'texts.list') return Promise.resolve(texts)
        if (text === '{}') return Promise.reject(new CallFailure({ code: 'refused', message: 'This is not a map.' }))
        return Promise.resolve({ name: called, own: true, bytes: text.length })
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
