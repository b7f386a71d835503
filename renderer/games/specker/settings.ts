import type { Json } from '../../../main/contract/json.ts'
import { choicesOf } from '../../../main/referees/specker/choices.ts'
import { number } from '../../words.ts'
import type { GameSettings } from '../game.ts'
import { settingsIn, settingsOf, spaced, wordsOf } from '../settings-fields.ts'
import { challengeName } from './story.ts'
import { fields, ownOf } from './fields.ts'
import SettingsForm from './settings-form.svelte'

/** A value without words of its own is cut to one line. */
const LONGEST = 200

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  initial: { ...plain.initial, challenge: 'max-csp', challengeConfig: {}, league: null, leagueParameter: null },
  quick: { maxTurns: 3 },
  form: SettingsForm,
  problems(given) {
    const problems = plain.problems(given)
    return given.challenge === '' ? { ...problems, challenge: 'Choose a challenge.' } : problems
  },
  config(given) {
    // Empty fields are left to the challenge.
    const own = Object.entries(ownOf(given)).filter(([, value]) => value !== null)
    const { challenge = '', league = null, leagueParameter = null } = given
    return { ...plain.config(given), challenge, challengeConfig: Object.fromEntries(own), league, leagueParameter }
  },
  withChallenge: (given, challenge) => ({ ...given, challenge }),
  words(config) {
    const given = settingsIn(config)
    return [
      ['Challenge', challengeName(given.challenge)],
      ['League', typeof given.league === 'string' ? given.league : 'none'],
      ...(typeof given.leagueParameter === 'number' ? [['League’s number', text(given.leagueParameter)] as const] : []),
      ...wordsOf(fields, { ...choicesOf(given), ...given }),
      ...Object.entries(ownOf(given)).map(([name, value]) => [spaced(name), text(value)] as const),
    ]
  },
}

function text(value: Json): string {
  if (typeof value === 'number') return number(value, 9)
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  return written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written
}
