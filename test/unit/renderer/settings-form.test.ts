import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Json } from '../../../main/contract/json.ts'
import { podsSettings } from '../../../main/referees/cops/choices.ts'
import type { Settings } from '../../../renderer/games/field.ts'
import { fields as copsFields, podsFields } from '../../../renderer/games/cops/fields.ts'
import {
  changedConfig,
  configOf,
  fieldsOf,
  problemsOf,
  settingsFrom,
  settingsOf,
  wordsOf,
} from '../../../renderer/games/settings-fields.ts'
import SettingsForm from '../../../renderer/games/settings-form.svelte'

afterEach(cleanup)

const config = z.strictObject({
  rounds: z.int().min(1).max(9).default(4),
  open: z.boolean().default(true),
})
const game = settingsOf(fieldsOf(config, { rounds: { label: 'Rounds' } }))

describe('a game whose config is its fields', () => {
  test('has a form of them, which sets them and says what is wrong', async () => {
    const shown = { settings: game.initial, problems: { rounds: 'At most 9.' } }
    render(SettingsForm, {
      game,
      ...shown,
      get settings() {
        return shown.settings
      },
      set settings(settings) {
        shown.settings = settings
      },
    })
    expect(screen.getByLabelText('Rounds')).toHaveProperty('value', '4')
    expect(screen.getByText('At most 9.')).toBeTruthy()
    await fireEvent.change(screen.getByLabelText('Open'), { target: { value: 'no' } })
    expect(shown.settings).toEqual({ rounds: 4, open: false })
  })

  test('reads and writes its config as they do', () => {
    expect(game.problems({ rounds: 10, open: true })).toEqual({ rounds: 'At most 9.' })
    expect(game.config({ rounds: 3, open: false })).toEqual({ rounds: 3, open: false })
    expect(game.words({ rounds: 3 })).toEqual([
      ['Rounds', '3'],
      ['Open', 'yes'],
    ])
    expect(game.words('no config')).toEqual([
      ['Rounds', '4'],
      ['Open', 'yes'],
    ])
  })
})

describe('a list of whole numbers, such as the worlds in which cops of the house list themselves', () => {
  const twist = { rules: '2005-twist' }

  test('is written into one line, and words that are not numbers are named', async () => {
    const shown = { settings: { elimination: true, reruns: 2, houseMarket: [3] } as Settings, problems: {} }
    render(SettingsForm, {
      game: settingsOf(podsFields),
      ...shown,
      get settings() {
        return shown.settings
      },
      set settings(settings) {
        shown.settings = settings
      },
    })
    const line = screen.getByLabelText('Cops of the house agent enter the black market in world')
    expect(line).toHaveProperty('value', '3')
    await fireEvent.change(line, { target: { value: '1, 0 7' } })
    expect(shown.settings['houseMarket']).toEqual([1, 0, 7])
    await fireEvent.change(line, { target: { value: '1, x' } })
    expect(problemsOf(podsFields, shown.settings)).toEqual({ houseMarket: 'x is not a whole number.' })
  })

  test('is checked as its schema checks it', () => {
    const problem = (houseMarket: Json) => problemsOf(podsFields, { elimination: true, reruns: 2, houseMarket })
    expect(problem([])).toEqual({})
    expect(problem([199, 0, 1])).toEqual({})
    expect(problem([4])).toEqual({ houseMarket: '4 is neither an odd number nor 0.' })
    expect(problem([201])).toEqual({ houseMarket: 'Only numbers from 0 to 199.' })
    expect(problem([1, 1, 1, 1, 1, 1])).toEqual({ houseMarket: 'At most 5 numbers.' })
    for (const market of [[4], [201], [1, 1, 1, 1, 1, 1]])
      expect(podsSettings.safeParse({ houseMarket: market }).success).toBe(false)
  })

  test('is in the config of the second phase alone, and left out if it is empty', () => {
    const settings = { ...settingsFrom(copsFields, twist), marketWorlds: [5, 0] }
    expect(configOf(copsFields, settings)).toMatchObject({ ...twist, marketWorlds: [5, 0] })
    expect(configOf(copsFields, { ...settings, rules: '2005' })).not.toHaveProperty('marketWorlds')
    expect(configOf(copsFields, { ...settings, marketWorlds: [] })).not.toHaveProperty('marketWorlds')
    expect(changedConfig(copsFields, { ...settings, marketWorlds: [] }, settings)).not.toHaveProperty('marketWorlds')
    const said = Object.fromEntries(wordsOf(copsFields, settings))
    expect(said['Cops enter the black market in world']).toBe('5, 0')
    expect(Object.fromEntries(wordsOf(copsFields, twist))['Cops enter the black market in world']).toBe(
      'as they announce',
    )
    expect(Object.fromEntries(wordsOf(copsFields, {}))).not.toHaveProperty('Cops enter the black market in world')
  })
})
