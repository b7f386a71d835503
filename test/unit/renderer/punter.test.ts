import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, describe, expect, test } from 'vitest'
import type { MatchDetail, MatchEvent } from '../../../main/contract/procedures.ts'
import type { Viewer } from '../../../main/contract/viewer.ts'
import type { Input } from '../../../main/referees/punter/input.ts'
import { lineOf, type Digest } from '../../../renderer/games/punter/digests.ts'
import { layoutOf } from '../../../renderer/games/punter/layout.ts'
import type { View } from '../../../renderer/games/punter/rules.ts'
import { settings } from '../../../renderer/games/punter/settings.ts'
import SettingsForm from '../../../renderer/games/punter/settings-form.svelte'
import { story } from '../../../renderer/games/punter/story.ts'
import { config, courseOf } from '../../../main/referees/punter/config.ts'
import { completed, mapText, pathMap, seatsOf } from '../punter/stage.ts'

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

  test('take a map by its name or from a file', async () => {
    render(SettingsForm, { settings: settings.initial, problems: {} })
    expect(screen.getByLabelText('Map')).toHaveProperty('value', 'grid')
    const file = new File([pathMap(3)], 'path.json')
    await fireEvent.change(screen.getByLabelText('Map from a file'), { target: { files: [file] } })
    expect(await screen.findByText('the file')).toBeTruthy()
  })
})
