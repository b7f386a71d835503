import {
  rememberedOf,
  type Before,
  consequencesOf,
  nameInWords,
  saidInWords,
} from '../../../main/referees/cops/narration/narrator.ts'
import { visible } from '../../parts/lists/visible.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Input, State } from './rules.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'

/** A summary of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: Predicate['kind'] | 'console'
  /** The predicate of a sentence whose subject is the seat. */
  readonly text: string
  readonly world: number
  /** The name of the seat's robot; absent before it has registered. */
  readonly bot: string | undefined
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export const reader: Reader<State, Digest, Before> = {
  before: rememberedOf,
  after(state, event, before, viewer) {
    const seat = event.kind === 'input' ? (event.input as Input).seat : event.seat
    const bot = state.brains[seat]?.name ?? undefined
    const about = { at: event.at, round: 1 + before.world, world: before.world, seat, bot }
    if (event.kind === 'console') return { ...about, kind: 'console', text: event.text.slice(0, LONGEST) }
    if (event.kind === 'fault') return { ...about, kind: 'fault', text: event.fault.text.slice(0, LONGEST) }
    const { kind, text } = predicateOf(state, before, event.input as Input, viewer)
    return { ...about, kind, text: text.slice(0, LONGEST) }
  },
}

/** The name of a kind of event, and its rule in the rulebook. */
const rules = {
  register: { name: 'Register', title: '', number: 3 },
  inform: { name: 'Inform', title: '', number: 14 },
  plan: { name: 'Plan', title: '', number: 15 },
  vote: { name: 'Vote', title: '', number: 16 },
  move: { name: 'Move', title: '', number: 5 },
  bribe: { name: 'Bribe', title: '', number: 24 },
  refused: { name: 'Refused', title: '', number: 20 },
  fault: { name: 'Fault', title: '', number: 20 },
  console: { name: 'Console', title: '' },
} as const

/** An event in one sentence. */
export function lineOf({ kind, seat, text, world, bot }: Digest, name: (seat: number) => string): Line {
  const who = nameInWords(name(seat ?? 0), bot)
  const tone = kind === 'console' ? 'console' : kind === 'fault' || kind === 'refused' ? 'bad' : 'plain'
  const said = kind === 'console' ? `${who} prints: ${visible(text)}` : `${who} ${visible(text)}`
  return {
    seat,
    text: kind === 'register' || kind === 'console' ? said : `World ${world}: ${said}`,
    rule: rules[kind],
    tone,
  }
}

/** A message and its effects, as the predicate of a sentence whose subject is the robot. */
interface Predicate {
  readonly kind: 'register' | 'inform' | 'plan' | 'vote' | 'move' | 'bribe' | 'fault' | 'refused'
  readonly text: string
}

/** `state`: after the input. Consequences are stated as far as the viewer learned of them then. */
function predicateOf(state: State, before: Before, input: Input, viewer: Viewer): Predicate {
  const nameOf = (seat: number): string => state.brains[seat]?.name ?? `seat ${seat}`
  const led = consequencesOf(before, state, nameOf)
    .filter(({ known }) => typeof viewer !== 'number' || known === 'all' || known.includes(viewer))
    .map(({ text }) => ` ${text}`)
    .join('')
  if (input.type === 'fault')
    return { kind: 'fault', text: `sends nothing that can be read: ${input.fault.text}${led}` }
  const brain = state.brains[input.seat]
  const wrong = brain?.disqualified ?? brain?.refused ?? null
  if (wrong !== null) return { kind: 'refused', text: `sends a message that is refused. ${wrong}${led}` }
  const { type } = input.answer
  const kind = type === 'orders' || type === 'robber-orders' ? 'move' : type
  return { kind, text: `${saidInWords(input.answer)}${led}` }
}
