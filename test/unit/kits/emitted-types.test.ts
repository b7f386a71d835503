import { expect, test } from 'vitest'
import * as z from 'zod'
import { messageModel } from '../../../main/contract/game/message-model.ts'
import { list, record, type ProgramMessages } from '../../../main/contract/game/program-messages.ts'
import { kitNames } from '../../../main/contract/players/kits.ts'
import { emitters, messageTypes } from '../../../main/services/agents/kit-code/emitters.ts'
import { games } from '../../../main/referees/games.ts'
import { gamesWithKits } from './lessons.ts'

// Types of kits are made from the description of a game's messages while a kit is made, in all languages.

test.each(gamesWithKits)('the types of scripts for %s in the project are those that its kits get', async (game) => {
  const text = messageTypes(game, 'typescript').get('messages.d.ts')!
  // The project's own code needs them, too; `vitest run -u` writes them anew.
  await expect(text).toMatchFileSnapshot(`../../../agents/kits/${game}/typescript/messages.d.ts`)
  expect(messageTypes(game, 'javascript').get('messages.d.ts')).toBe(text)
})

/** The messages of a game with two new fields in each message to the program. */
function withNewFields(messages: ProgramMessages): ProgramMessages {
  const tide = record('TideMark', 'A mark of a tide.', { height: z.int().describe('In metres.') })
  const more = {
    tideWater: list(tide, 'The marks of the tide.'),
    ebbNote: z.string().exactOptional().describe('A note on the ebb.'),
  }
  const told = messages.told as z.ZodUnion<readonly [z.ZodObject, ...z.ZodObject[]]>
  const [first, ...others] = told.options.map((option): z.ZodType => option.extend(more).meta(option.meta()!))
  return { ...messages, told: z.union([first!, ...others]).meta(told.meta()!) }
}

/** How each language has the new fields: with their types, the optional one as what may be absent. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  javascript: [/readonly tideWater: readonly TideMark\[\]\n/, /readonly ebbNote\?: string\n/],
  typescript: [/readonly tideWater: readonly TideMark\[\]\n/, /readonly ebbNote\?: string\n/],
  python: [/["']?tideWater["']?: List\[TideMark\]/, /["']?ebbNote["']?: str\n/],
  go: [/\tTideWater \[\]TideMark\n/, /\tEbbNote \*string\n/],
  java: [/java\.util\.List<TideMark> tideWater/, /String ebbNote/],
  cpp: [/std::vector<TideMark> tideWater;/, /std::optional<std::string> ebbNote;/],
  rust: [/pub tide_water: Vec<TideMark>,/, /pub ebb_note: Option<String>,/],
}

test.each(kitNames.flatMap((kit) => gamesWithKits.map((game) => [kit, game] as const)))(
  'a new field of the description is in the types in %s for %s, with its text',
  (kit, game) => {
    const { title, programMessages } = games.get(game)!
    const before = [...messageTypes(game, kit).values()].join('\n')
    const texts = emitters[kit](messageModel(game, title, withNewFields(programMessages!)))
    const after = [...texts.values()].join('\n')
    for (const field of expected[kit]!) {
      expect(before).not.toMatch(field)
      expect(after).toMatch(field)
    }
    for (const text of ['A mark of a tide.', 'In metres.', 'The marks of the tide.', 'A note on the ebb.'])
      expect(after).toContain(text)
  },
)
