import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { fieldsOf, settingsOf } from '../../../renderer/games/settings-fields.ts'
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
