import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Play } from '../../../main/contract/procedures/human-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import {
  brainViewFrom,
  twistViewOf,
  type BrainAnswer,
  type DialogueLine,
} from '../../../main/referees/cops/player-view.ts'
import type { Message } from '../../../main/referees/cops/messages.ts'
import { openPlace, openRoom, type Room } from '../service/classroom.ts'
import { saying } from '../../refusal.ts'

const place = openPlace('cops-persons')
let room: Room

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

/** Begins a match of the second phase in which a person is the robber, or what the settings say. */
async function begin(settings: object, moveMs: number, opponent = 'baby'): Promise<string> {
  const opponents = await room.call('play.opponents', { game: 'cops' })
  const { agent } = opponents.find(({ name }) => name === opponent)!
  const config = { map: 'hamlet', rules: '2005-twist', lastWorld: 4, ...settings }
  return (await room.call('play.begin', { game: 'cops', config, opponents: [agent], seat: 0, moveMs })).contest
}

/** Plays to the end; `answer` is called for each question, and null leaves it open until its time is over. */
function played(contest: string, answer: (play: Play) => Json | null): Promise<Play> {
  const asked = new Set<number>()
  return new Promise((resolve, reject) => {
    const off = room.service.on(`play:${contest}`, (value) => {
      const play = value as Play
      if (play.result !== null) {
        setImmediate(() => off())
        resolve(play)
      }
      const number = play.question?.number
      if (number === undefined || asked.has(number)) return
      asked.add(number)
      const said = answer(play)
      if (said !== null) room.call('play.answer', { contest, question: number, value: said as never }).catch(reject)
    })
  })
}

const viewOf = ({ dialogue }: Play) =>
  brainViewFrom(
    dialogue.map(({ from, value }): DialogueLine => {
      return from === 'table' ? { told: value as unknown as Message } : { answered: value as unknown as BrainAnswer }
    }),
  )!

/** Says nothing and moves nobody. */
function nothing(play: Play): Json {
  const { asks, skeleton, world } = viewOf(play)
  const own = world.players.find(({ bot }) => bot === skeleton.name)!
  if (asks === 'inform') return { type: 'inform', informs: [] }
  if (asks === 'plan') return { type: 'plan', plan: [] }
  if (asks === 'vote') return { type: 'vote', ballot: own.ptype === 'robber' ? [skeleton.name] : skeleton.cops }
  if (asks === 'bribe') return { type: 'bribe', asks: false }
  if (asks === 'move') return { type: 'move', loc: own.loc, ptype: own.ptype }
  if (asks === 'orders') return { type: 'orders', market: 'straight-arrow', moves: [{ ...own }], accuse: [] }
  return { type: 'robber-orders', move: { ...own }, push: null, choose: null }
}

const endOf = ({ result }: Play) => (result !== null && 'outcome' in result ? result.outcome : result)

test('a person who is late stands still where the match says so, is told so, and plays on', async () => {
  const contest = await begin({ illegal: 'stands-still' }, 2_000)
  const missed: boolean[] = []
  const over = await played(contest, (play) => {
    missed.push(viewOf(play).missed)
    expect(twistViewOf(viewOf(play))!.whyNotAsk).toMatch(/needs \$50/)
    return missed.length === 2 ? null : nothing(play)
  })
  // The plan of world 0 was late; what is asked after it says so.
  expect(missed.slice(0, 4)).toEqual([false, false, true, false])
  expect(endOf(over)).toMatchObject({ end: 'escaped', places: [{ removed: false }, {}, {}, {}, {}, {}] })
  const source = { from: 'contest', contest, match: 0 } as const
  expect(await room.call('histories.verify', { source })).toMatchObject({ ok: true, replayed: true })
}, 60_000)

test('a person who is late is disqualified where the match says so, and so is one whose message is illegal', async () => {
  const late = await played(await begin({}, 1_000), () => null)
  expect(endOf(late)).toMatchObject({ end: 'disqualified', places: [{ removed: true }, {}, {}, {}, {}, {}] })
  // The window does not let this happen; the rules decide in any case.
  const illegal = await played(await begin({}, 60_000), (play) =>
    viewOf(play).asks === 'bribe' ? { type: 'bribe', asks: true } : nothing(play),
  )
  expect(endOf(illegal)!).toMatchObject({
    places: [{ removed: true, reason: saying('robber', '$50', 'market') }, {}, {}, {}, {}, {}],
  })
}, 60_000)

test('a person who gives up stands still to the end where the match goes on', async () => {
  const contest = await begin({ illegal: 'stands-still', lastWorld: 20 }, 60_000)
  const over = await played(contest, (play) => {
    if (viewOf(play).world.world < 2) return nothing(play)
    void room.call('play.leave', { contest })
    return null
  })
  expect(endOf(over)).toMatchObject({ end: 'escaped', world: 20, loot: 0 })
}, 60_000)

/** Stays where it is; its second cop goes nowhere in world 3. */
const clumsy = `module.exports = {
  name: 'Clumsy',
  robber: ({ name }) => ({ move: ({ players }) => players.find(({ bot }) => bot === name) }),
  cop: ({ name }) => ({
    move: (winner, { world, players }) => {
      const own = players.find(({ bot }) => bot === name)
      return world === 3 && name === 'Clumsy3' ? { ...own, loc: 'nowhere' } : own
    },
  }),
}`

test.each(['2005', '2005-twist'])(
  'a person plays a cop among McGruffs of the house to the end, by the rules of %s',
  async (rules) => {
    const contest = await begin({ rules, first: 'cop', mcgruffs: 4, lastWorld: 20 }, 60_000, 'house')
    const worlds = new Set<number>()
    const over = await played(contest, (play) => {
      worlds.add(viewOf(play).world.world)
      return nothing(play)
    })
    const { end, world } = endOf(over) as unknown as { end: string; world: number }
    expect(['caught', 'escaped']).toContain(end)
    expect([...worlds]).toEqual(Array.from({ length: worlds.size }, (_, turn) => 1 + 2 * turn))
    expect(worlds.size).toBe(Math.floor(world / 2))
    const source = { from: 'contest', contest, match: 0 } as const
    expect(await room.call('histories.verify', { source })).toMatchObject({ ok: true, replayed: true })
  },
  60_000,
)

test('a McGruff stands still beside a person, who is disqualified for the same, as is a cop that is not a McGruff', async () => {
  await room.submit({ fileName: 'clumsy.js', content: clumsy, game: 'cops' })
  const settings = { rules: '2005', first: 'cop', lastWorld: 6 }
  const among = async (mcgruffs: number, answer: (play: Play) => Json | null) => {
    const contest = await begin({ ...settings, mcgruffs }, 60_000, 'clumsy')
    const { end, places } = endOf(await played(contest, answer)) as unknown as {
      end: string
      places: { removed: boolean }[]
    }
    return [end, ...places.map(({ removed }) => removed)]
  }
  expect(await among(4, nothing)).toEqual(['escaped', ...Array<boolean>(6).fill(false)])
  // Only the last two cops are McGruffs; Clumsy3 is the third.
  expect(await among(2, nothing)).toEqual(['disqualified', false, false, false, true, false, false])
  const goesNowhere = (play: Play) =>
    viewOf(play).asks === 'move' ? { type: 'move', loc: 'nowhere', ptype: 'cop-foot' } : nothing(play)
  expect(await among(4, goesNowhere)).toEqual(['disqualified', false, true, false, false, false, false])
  // If all five are McGruffs, the person's robot stands still, too.
  expect(await among(5, goesNowhere)).toEqual(['escaped', ...Array<boolean>(6).fill(false)])
}, 120_000)
