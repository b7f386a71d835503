import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { hashOf } from '../../../main/histories/canonical.ts'
import { parseKeyText } from '../../../main/histories/keys.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { bundle } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { conducted, type Begun, type Line, type Moment, type Played } from './transcript.ts'

const folder = new URL('golden/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

/** One question of a recorded match and what the agent answered, or the fault that it had. */
interface Exchange {
  readonly seat: number
  readonly message: { readonly type: string }
  readonly answer: { readonly fault?: { readonly kind: 'crash'; readonly text: string } }
}

/**
 * Matches as they were played when their protocol was new, every message word for word. As long as these pass, an agent of
 * that time gets what it knows and is understood.
 */
describe('agents that were recorded keep playing', () => {
  test.each(readdirSync(folder).filter((name) => name.startsWith('protocol-')))('%s', (name) => {
    const lines = read(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    const { config, players } = lines[0] as { readonly config: Json; readonly players: number }
    const end = lines.at(-1) as { readonly state: string; readonly outcome: Json }
    const parsed = specker.config.parse(config)
    expect(parsed).toEqual(config)
    const seats = specker.seats(parsed, players)
    const state = specker.rules.initial(parsed, typeof seats === 'string' ? [] : seats, '0'.repeat(64))
    for (const { seat, message, answer } of lines.slice(1, -1) as Exchange[]) {
      const asked = message.type === 'start' ? startMessage(state, seat) : turnMessage(state, seat)
      expect(JSON.parse(JSON.stringify(asked))).toEqual(message)
      if (message.type === 'start') continue
      const input =
        answer.fault !== undefined
          ? ({ type: 'fault', seat, fault: answer.fault } as const)
          : ({ type: 'turn', seat, actions: bundle.parse(answer).actions } as const)
      expect(specker.rules.apply(state, input)).toBeNull()
    }
    expect(specker.rules.outcome(state)).toEqual(end.outcome)
    expect(hashOf(specker.rules.save(state))).toBe(end.state)
  })

  test('the first seven challenges are among them in their first texts, with solutions of several qualities', () => {
    const recorded = readdirSync(folder).filter((name) => name.startsWith('protocol-1-'))
    const found = recorded.map((name) => {
      const text = read(name)
      const { config } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { readonly config: { challenge: string } }
      expect(config.challenge).not.toMatch(/^(generate|picture|reference) /m)
      return [/^challenge (\S+)/.exec(config.challenge)![1]!, new Set(text.match(/"quality":"[^"]+"/g)).size] as const
    })
    const qualities = new Map(found.toSorted(([, one], [, other]) => one - other))
    expect([...qualities.keys()].toSorted()).toEqual([
      'cubic-equations',
      'knapsack',
      'max-csp',
      'max-sat',
      'pseudo-boolean',
      'travelling-salesman',
      'vertex-cover',
    ])
    // Only the one of max-sat is short.
    expect([...qualities].filter(([, count]) => count < 3).map(([name]) => name)).toEqual(['max-sat'])
  })
})

/**
 * The same through referee and wire, as bytes: lines of JSON, and after `language text` the text of specker.cd. Among them the
 * asynchronous game with its clock, base ball, and a match of which two players asked for protocol 3.
 */
describe('agents that were recorded read the same bytes, and theirs are understood', () => {
  const names = readdirSync(folder).filter((name) => name.startsWith('bytes-'))
  test.each(names)('%s', async (name) => {
    const [begun, ...rest] = read(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown) as [Begun, ...Line[]]
    const end = rest.pop() as unknown as Played['end']
    expect(specker.config.parse(begun.config)).toEqual(begun.config)
    const moments = rest.filter((line): line is Moment => !('to' in line))
    const played = await conducted(begun, () => {
      const moment = moments.shift()
      if (moment === undefined) throw new Error('the match goes on after its recorded end')
      return moment
    })
    expect(played.lines).toEqual(rest)
    expect(played.end).toEqual(end)
    expect(moments).toEqual([])
    // Every line of the administrator says which protocol it is of.
    for (const line of played.lines) {
      if (!('to' in line)) continue
      if (line.to.startsWith('{'))
        expect(JSON.parse(line.to)).toMatchObject({ protocol: expect.any(Number) as unknown })
      else expect(line.to).toMatch(/^(question \d+ within \S+ )?(start|turn|removed|refused) [123] /)
    }
  })

  test('both languages and all protocols are among them', () => {
    const all = names.map(read).join('')
    const parts = [
      '"from":"language text',
      '"to":"question 2 within',
      '\\"protocol\\":3',
      ' turn 3 me 1 ',
      '{\\"type\\":\\"refused\\",\\"protocol\\":2',
    ]
    expect(parts.filter((part) => !all.includes(part))).toEqual([])
  })
})

test('a history of the first rules verifies, and replays to the states that it names', () => {
  const verdict = verifyMatch(readFileSync(new URL('history-1.jsonl', folder)), {
    keys: [parseKeyText(read('history-1.pub').trim())!],
    games: () => eraseGame(specker),
  })
  expect(verdict).toMatchObject({ ok: true, match: { version: 1, replayed: true } })
})
