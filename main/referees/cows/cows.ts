import type { Game, Table, RefereeLimits } from '../../contract/game.ts'
import { randomStream } from '../../contract/random.ts'
import { askAtOnce } from '../ask-at-once.ts'
import { sha256 } from '../sha256.ts'
import { config, mapOf, type Config } from './config.ts'
import { contests } from './maps/tournament.ts'
import { isInside, readMapFile } from './maps/map-file.ts'
import { answer, type Answer, type Message, type SeenCell } from './messages.ts'
import { input, rules, type Input, type State, type View } from './rules.ts'

async function referee(
  table: Table<Message, Answer, Input, State>,
  settings: Config,
  limits: RefereeLimits,
): Promise<void> {
  const { state } = table
  const { rows, corrals } = mapOf(settings)
  const posts = table.seats.flatMap(({ id, bodies }) =>
    Array.from({ length: bodies }, (_, body) => ({ seat: id, body })),
  )
  const start = (seat: number): Message => ({
    type: 'start',
    opponent: `seat ${1 - seat}`,
    steps: settings.steps,
    width: rows[0]!.length,
    height: rows.length,
    corral: corrals[seat as 0 | 1],
  })
  await askAtOnce(
    table,
    posts.map((post) => ({ post, message: start(post.seat) })),
    limits.startMs,
    { start: true },
  )
  while (rules.outcome(table.state) === null) {
    const replies = await askAtOnce(
      table,
      posts.map((post) => ({ post, message: perceptionOf(state, post.seat, post.body) })),
      limits.moveMs,
    )
    const actions = table.seats.map(({ id }) =>
      posts.flatMap(({ seat }, at) => {
        const reply = replies[at]
        if (seat !== id) return []
        return [reply !== undefined && 'value' in reply && 'action' in reply.value ? reply.value.action : null]
      }),
    )
    const refused = table.commit({ type: 'step', actions }, 'public')
    if (refused !== null) throw new Error(refused)
  }
}

function perceptionOf(state: State, seat: number, body: number): Message {
  const { rows, corrals } = mapOf(state.config)
  const me = state.herders[seat]![body]!
  const next = randomStream(sha256(`see:${state.seed}:${state.step}:${seat}:${body}`))
  const agents = new Map<string, 'ally' | 'enemy'>(
    state.herders.flatMap((team, of) => team.map(({ x, y }) => [`${x} ${y}`, of === seat ? 'ally' : 'enemy'] as const)),
  )
  const cows = new Map<string, string>(state.cows.map(({ id, x, y }) => [`${x} ${y}`, String(id)]))
  const cells: SeenCell[] = []
  for (let x = -8; x <= 8; x += 1) {
    for (let y = -8; y <= 8; y += 1) {
      const there = rows[me.y + y]?.[me.x + x]
      if (there === undefined) continue
      if ((x !== 0 || y !== 0) && (next() / 2 ** 32) * 100 < state.config.unknown) {
        cells.push({ x, y, unknown: true })
        continue
      }
      const key = `${me.x + x} ${me.y + y}`
      const agent = agents.get(key)
      const cow = cows.get(key)
      const owner = corrals.findIndex((corral) => isInside(corral, [me.x + x, me.y + y]))
      cells.push({
        x,
        y,
        ...(agent === undefined ? {} : { agent }),
        ...(cow === undefined ? {} : { cow }),
        ...(there === '#' ? { obstacle: true as const } : {}),
        ...(owner === -1 ? {} : { corral: owner === seat ? ('ally' as const) : ('enemy' as const) }),
      })
    }
  }
  return { type: 'perception', step: state.step, x: me.x, y: me.y, score: state.scores[seat as 0 | 1], cells }
}

/** Cows and Herders: the Multi-Agent Programming Contest of 2008. */
export const cows: Game<Config, State, Input, Message, Answer, View> = {
  id: 'cows',
  title: 'Cows and Herders',
  version: 1,
  config,
  input,
  answer,
  length: ({ steps }) => steps,
  seats: (settings, entrants) =>
    entrants === 2
      ? [0, 1].map((id) => ({ id, entrant: id, role: 'team', bodies: mapOf(settings).herders[id as 0 | 1].length }))
      : 'Cows and Herders is for two teams.',
  rules,
  outline: {
    levels: ({ scores }) => [...scores],
    input:
      ({ step }) =>
      () => ({ round: step + 1, seat: null, lines: 1, marks: [] }),
    swings({ scores }) {
      const before = [...scores]
      return () =>
        [0, 1].flatMap((seat) =>
          scores[seat]! > before[seat]! ? [{ seat, amount: scores[seat]! - before[seat]! }] : [],
        )
    },
  },
  referee,
  script: {
    nodeGlobals: true,
    adapter: `(exported) => {
  if (typeof exported.act !== 'function') return 'module.exports must have a function act(body, perception, team)'
  let team = null
  return (message, body) => {
    if (message.type === 'start') {
      team ??= message
      return { ready: true }
    }
    return { action: exported.act(body, message, team) }
  }
}`,
  },
  retelling: { ready: (message) => (message.type === 'start' ? { ready: true } : null), deed: () => null },
  limits: { startMs: 10_000, moveMs: 2_000 },
  trial: { config: { map: 'small', steps: 60 }, entrants: 2 },
  example: { config: { map: 'meadow', steps: 300 }, agents: ['baby', 'herder', 'tartaglia'], seats: 2 },
  keptFromKits: ['tartaglia'],
  texts: {
    map: {
      kind: 'map',
      ending: 'json',
      byHash: true,
      problem(text) {
        const read = readMapFile(text)
        return 'map' in read ? null : (read.problems[0] ?? null)
      },
    },
  },
  network: { plain: true, rejoins: false },
  contests,
}
