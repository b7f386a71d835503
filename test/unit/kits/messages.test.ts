import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import { messageModel } from '../../../main/contract/game/message-model.ts'
import type { Json } from '../../../main/contract/json.ts'
import { games } from '../../../main/referees/games.ts'
import { config } from '../../../main/referees/specker/config.ts'
import { bundle, ENERGY } from '../../../main/referees/specker/messages.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { publishedSchemas } from '../../../main/services/schemas/json-schemas.ts'
import { configOf, generator } from '../agents-specker/table.ts'
import { dialogue } from './api-pages.ts'
import { gamesWithKits } from './lessons.ts'

// The description of messages, of which schemas and types of kits are made, against messages of real matches.

type Schema = Parameters<typeof z.fromJSONSchema>[0]
type Line = { readonly [key: string]: Json }

/** Why a published schema refuses a value; null: it accepts it. */
function refusal(name: string, value: Json): string | null {
  const schema = publishedSchemas.find((each) => each.name === name)!.make() as Schema
  const read = z.fromJSONSchema(schema).safeParse(value)
  return read.success ? null : z.prettifyError(read.error)
}

/** The value with each of its fields left out, then with one more, and with each field of another type. */
const wrongOnes = (line: Line, needed: readonly string[]): readonly Line[] => [
  ...needed.map((name) => Object.fromEntries(Object.entries(line).filter(([each]) => each !== name))),
  ...Object.keys(line).map((name) => ({ ...line, [name]: { nonesuch: true } })),
]

/** The lines of a game's saved moves, as its wire writes and reads them. */
async function linesOf(game: string): Promise<{ readonly told: readonly Line[]; readonly said: readonly Line[] }> {
  const { spoken } = await dialogue(game)
  const by = (who: 'match' | 'program'): Line[] =>
    spoken.flatMap(({ by: author, text }) => (author === who ? [JSON.parse(text) as Line] : []))
  return { told: by('match'), said: by('program') }
}

const messagesOf = (game: string): Line[] => {
  const folder = fileURLToPath(new URL(`../../../agents/kits/${game}/typescript/cases/`, import.meta.url))
  return readdirSync(folder).flatMap(
    (name) => (JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as { messages: Line[] }).messages,
  )
}

describe.each([...games.values()].map((game) => [game.id, game] as const))('%s', (id, { title, programMessages }) => {
  test('its messages have a form that belongs to no language, and every field has a text', () => {
    const { definitions, told, said } = messageModel(id, title, programMessages!)
    expect([told, said].map((name) => definitions.find((each) => each.name === name)?.kind)).toEqual(['union', 'union'])
    const bare = definitions.flatMap((each) =>
      each.kind === 'record' ? each.fields.filter(({ doc, form }) => doc === '' && form.kind !== 'constant') : [],
    )
    expect(bare).toEqual([])
    expect(definitions.filter(({ doc }) => doc === '')).toEqual([])
  })
})

test.each(gamesWithKits.filter((game) => games.get(game)!.programMessages?.form === 'lines'))(
  'the schemas of %s accept the lines of a match in both directions, and no wrong field',
  async (game) => {
    const lines = await linesOf(game)
    for (const part of ['told', 'said'] as const) {
      expect(lines[part].length).toBeGreaterThan(1)
      for (const line of lines[part]) {
        expect([line, refusal(`${game}-${part}`, line)]).toEqual([line, null])
        const needed = Object.keys(line).filter((name) => name === 'type' || name === 'body')
        for (const wrong of wrongOnes(line, needed))
          expect([wrong, refusal(`${game}-${part}`, wrong)]).toEqual([wrong, expect.any(String)])
      }
    }
  },
)

test('the schemas of Cops & Robbers accept the messages of saved moves, and no wrong field', () => {
  const messages = messagesOf('cops')
  expect(new Set(messages.map(({ type }) => type)).size).toBeGreaterThan(4)
  for (const message of messages) {
    expect([message, refusal('cops-told', message)]).toEqual([message, null])
    for (const wrong of wrongOnes(message, Object.keys(message)))
      expect([wrong['type'], refusal('cops-told', wrong)]).toEqual([wrong['type'], expect.any(String)])
  }
})

test.each(
  ['classic', 'belief', 'secret', 'base-ball'].flatMap((variant) => [
    [variant, 'synchronous'],
    [variant, 'mega-moves'],
  ]),
)('the messages and bundles of a %s match of Specker fit, %s', (variant, mode) => {
  const { told, said } = games.get('specker')!.programMessages!
  const random = Math.random
  Math.random = generator(7)
  try {
    const settings = configOf('max-csp', {}, { variant, mode, maxTurns: 6, init: 1_000 * ENERGY })
    const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
    const state = rules.initial(config.parse(settings), seats, '0'.repeat(64))
    const players = seats.map(({ id }) => new Kit(told.parse(startMessage(state, id)) as never))
    let turns = 0
    while (state.turn !== null) {
      const seat = state.turn
      const view = told.parse(turnMessage(state, seat)) as never
      const answer = said.parse(JSON.parse(JSON.stringify(players[seat]!.turn(view))))
      expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })).toBeNull()
      turns += 1
    }
    expect(turns).toBeGreaterThan(11)
    expect(state.removals).toEqual([])
  } finally {
    Math.random = random
  }
})
