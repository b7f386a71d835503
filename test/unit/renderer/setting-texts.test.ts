import { expect, test } from 'vitest'
import type { GameSettings } from '../../../renderer/games/game.ts'
import { gameWindows } from '../../../renderer/games.ts'

/** The texts of a game's settings: labels, hints, options and their hints. */
function textsOf({ fields, formats = [], presets = [] }: GameSettings): readonly string[] {
  return [
    ...[...fields, ...formats.flatMap((format) => format.fields)].flatMap(({ label, hint, ...field }) => [
      label,
      hint,
      ...('empty' in field && field.empty !== null ? [field.empty] : []),
      ...('options' in field ? field.options.flatMap((option) => [option.label, option.hint]) : []),
    ]),
    ...presets.flatMap((preset) => [preset.label, preset.hint]),
  ].filter((text) => text !== '')
}

/** Words that only the authors of the games understand. */
const riddles = /\bquirk|\bsections? \d|\bspecification\b|last ones|\bas it likes|has the opposite|free in it/i

test.each(gameWindows.map(({ id, settings }) => [id, settings] as const))(
  'settings of %s are named in words, without a document that nobody has',
  async (_, settings) => {
    const texts = textsOf(await settings())
    expect(texts.length).toBeGreaterThan(5)
    for (const text of texts) {
      expect(text).not.toMatch(riddles)
      // A name of the config, such as `cowPrivateWeight`, is not a label.
      expect(text).not.toMatch(/\b[a-z]+[A-Z][a-z]+/)
    }
  },
)
