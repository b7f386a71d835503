import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import type { SeatRecord } from '../../../main/contract/game/table.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { bodiesWire } from '../../../main/players/wires/bodies-wire.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { games } from '../../../main/referees/games.ts'
import { completeSettings } from '../../../main/services/contests/descriptions/contest-file.ts'
import { trialConfig } from '../../../main/services/game-facts.ts'
import { textsOf } from '../../../main/services/texts/named-texts.ts'
import { messageTypes } from '../../../main/services/agents/kit-code/emitters.ts'
import { postWire } from '../../../main/worker/seating.ts'

// The API pages of the kits are made here from the saved moves of the kits, their types and the games' own wires, and compared with
// the files agents/kits/GAME/LANGUAGE/API.md.

/** A saved move of a kit. */
export interface SavedMove {
  readonly messages: readonly { readonly [key: string]: Json }[]
  readonly answer: Json
}

/** The output of a program in Python for a saved move: a greeting if the game has one, then a line for each question. */
interface Sample {
  /** The file of the saved move. */
  readonly file: string
  /** The line with which a program greets; absent: none is needed. */
  readonly greeting?: string
  /** Answers by the types of messages that want one; the last one is given by the saved move. */
  readonly ready: (message: { readonly [key: string]: Json }, question: number) => string
  readonly move: (answer: Json, question: number, body: number) => string
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

/** By game. */
export const samples: Readonly<Record<string, Sample>> = {
  specker: {
    file: 'first.json',
    ready: (_, question) => line({ ready: true, question }),
    move: (answer, question) => line({ ...(answer as object), question }),
  },
  haggle: {
    file: 'first.json',
    ready: (_, question) => line({ type: 'ready', question }),
    move: (answer, question) => line({ type: 'offer', offer: (answer as { value: Json }).value, question }),
  },
  punter: {
    file: 'first.json',
    ready: ({ punter = 0 }, question) => line({ ready: punter, futures: [], question }),
    move: (answer, question) => line({ ...(answer as object), question }),
  },
  cows: {
    file: 'first.json',
    ready: ({ body = 0 }, question) => line({ ready: true, body, question }),
    move: (answer, question, body) => line({ ...(answer as object), body, question }),
  },
  cops: {
    file: 'robber.json',
    greeting: 'reg: Fox robber\n',
    ready: () => '',
    move: (answer) => {
      const { loc, ptype } = answer as { loc: string; ptype: string }
      return `mov: ${loc} ${ptype}\n`
    },
  },
}

const kits = new URL('../../../agents/kits/', import.meta.url)
const file = (path: string): string => readFileSync(new URL(path, kits), 'utf8')

export function savedMove(game: string): SavedMove {
  return JSON.parse(file(`${game}/typescript/cases/${samples[game]!.file}`)) as SavedMove
}

/** A part of the dialogue of a program: what it reads, or what it writes. */
export interface Spoken {
  readonly by: 'match' | 'program'
  readonly text: string
}

/** The dialogue of a saved move over the game's own wire, and the answer that the wire reads from the program's last text. */
export async function dialogue(id: string): Promise<{ readonly spoken: readonly Spoken[]; readonly answer: Json }> {
  const game = games.get(id)!
  const { messages, answer } = savedMove(id)
  const sample = samples[id]!
  const config = await completeSettings(id, trialConfig(id), '.', 'the sample', textsOf('nowhere'))
  const made = game.seats(config, 2)
  if (typeof made === 'string') throw new Error(made)
  const seats = made.map((seat, at) => ({ ...seat, id: at })) as unknown as readonly SeatRecord[]
  const { bodies } = seats[0]!
  const posts = Array.from({ length: bodies }, (_, body) => postWire(game, config, seats, { seat: 0, body }))
  const wire =
    bodies === 1 ? posts[0]! : (game.dialogue.seatWire?.(config, seats[0]!, seats, wireHost()) ?? bodiesWire(posts))
  const spoken: Spoken[] = []
  let read: Json = null
  let question = 0
  const take = (effects: ReturnType<typeof wire.joined>): void => {
    for (const effect of effects) {
      if (effect.type === 'write') spoken.push({ by: 'match', text: new TextDecoder().decode(effect.bytes) })
      if (effect.type === 'answer') read = effect.value
      if (effect.type === 'fault') throw new Error(effect.fault.text)
    }
  }
  const say = (text: string): void => {
    if (text === '') return
    spoken.push({ by: 'program', text })
    take(wire.receive(Buffer.from(text), 0))
  }
  take(wire.joined(0))
  say(sample.greeting ?? '')
  for (const [at, { body = 0, ...message }] of messages.entries()) {
    const isLast = at === messages.length - 1
    const isStart = game.replay!.ready(message) !== null
    const isTold = message['asks'] === null
    // The answers to moves before the saved one are not known.
    if (!isLast && !isStart && !isTold) continue
    if (!isTold) question += 1
    take(wire.send(message, isTold ? null : { number: question, limitMs: 1_000 }, 0, Number(body)))
    if (isLast) say(sample.move(answer, question, Number(body)))
    else if (isStart) say(sample.ready({ ...message, body }, question))
  }
  return { spoken, answer: read }
}

const LINES_MAX = 30
const TEXT_MAX = 300

/** A text with few lines, each of which is not long; `…` stands for the rest. */
function shortened(text: string): string {
  const lines = text.trimEnd().split('\n')
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX - 5), '…', ...lines.slice(-3)] : lines
  return shown.map((each) => (each.length > TEXT_MAX ? `${each.slice(0, TEXT_MAX)}…` : each)).join('\n')
}

const json = (value: Json): string => shortened(JSON.stringify(value, null, 2))

const titles = {
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  cpp: 'C++',
  rust: 'Rust',
} as const

/** The API page of a game for a language. */
export async function apiPage(game: string, kit: KitName): Promise<string> {
  const { title } = games.get(game)!
  const head = `# ${title}: the API in ${titles[kit]}\n\n`
  const page = `${head}${await partOf(game, kit)}`
  return format(page, { ...(await resolveConfig(fileURLToPath(kits))), parser: 'markdown' })
}

async function partOf(game: string, kit: KitName): Promise<string> {
  if (kit === 'javascript' || kit === 'typescript') return scriptPart(game, kit)
  const described = kit === 'python' ? pythonLibrary(game) : ''
  return `${described}${typesFile(game, kit)}${await programPart(game)}`
}

/** Names the file with the types, which "tartaglia kit" makes. */
function typesFile(game: string, kit: KitName): string {
  const [types = ''] = [...messageTypes(game, kit).keys()]
  return `\`${types}\` has the types of all messages, generated from the game's schemas.\n\n`
}

function scriptPart(game: string, kit: 'javascript' | 'typescript'): string {
  const { messages, answer } = savedMove(game)
  const agent = kit === 'javascript' ? 'agent.cjs' : 'agent.ts'
  const sample = messages.map((message) => `\`\`\`jsonc\n${json(message)}\n\`\`\`\n`).join('\n')
  return `\`${agent}\` exports what \`${game}.d.ts\` describes:

\`\`\`ts
${file(`${game}/typescript/${game}.d.ts`).trimEnd()}
\`\`\`

\`messages.d.ts\` has the types of all messages, generated from the game's schemas:

\`\`\`ts
${messageTypes(game, kit).get('messages.d.ts')!.trimEnd()}
\`\`\`

## Sample messages

The agent of this kit received these messages in a recorded match, up to one move (\`cases/${samples[game]!.file}\`; \`…\` stands for
what is left out):

${sample}
The agent answered:

\`\`\`jsonc
${json(answer)}
\`\`\`

\`agent.test.${kit === 'javascript' ? 'mjs' : 'ts'}\` shows how these become calls of the agent.
`
}

function pythonLibrary(game: string): string {
  const library = /def (play_\w+)\((.*?)\):\n\s+"""([^]*?)"""/.exec(file(`${game}/python/${game}.py`))
  const [, name = '', parameters = '', words = ''] = library ?? []
  return words === ''
    ? ''
    : `\`${name}(${parameters})\` of \`${game}.py\` keeps the dialogue:\n\n${words.replaceAll(/\n\s+/g, '\n')}\n\n`
}

async function programPart(game: string): Promise<string> {
  const { spoken } = await dialogue(game)
  const turns = spoken.map(
    ({ by, text }) => `${by === 'match' ? 'The program reads:' : 'It writes:'}\n\n\`\`\`\n${shortened(text)}\n\`\`\`\n`,
  )
  return `## Sample messages

A program reads from stdin and writes to stdout. This is the dialogue of one recorded move, without the moves before it\n(\`…\` stands for what is left out):

${turns.join('\n')}`
}
