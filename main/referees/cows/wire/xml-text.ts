import type { Rectangle } from '../maps/map-file.ts'
import type { PerceptionMessage, SeenCell } from '../messages.ts'

const encoder = new TextEncoder()
const HEADER = '<?xml version="1.0" encoding="UTF-8"?>'

/** All texts below are whole messages with the NUL that ends them. `timestamp` and `deadline`: Unix time in ms. */
type Bytes = Uint8Array<ArrayBuffer>

/** The reply to a sign-in, on one line as the organisers' server wrote it. */
export function authResponse(result: 'ok' | 'fail', timestamp: number): Bytes {
  const body = `<message timestamp="${timestamp}" type="auth-response"><authentication result="${result}"/></message>`
  return encoder.encode(`${HEADER}${body}\0`)
}

export interface SimulationStart {
  readonly simulation: string
  readonly opponent: string
  readonly steps: number
  readonly width: number
  readonly height: number
  readonly corral: Rectangle
}

/** Clients read `corraly0` and `corraly1`; the specification calls them `corrally0` and `corrally1`. */
export function simStart(start: SimulationStart, timestamp: number): Bytes {
  const { simulation, opponent, steps, width, height } = start
  const { x0, y0, x1, y1 } = start.corral
  const attributes = [
    `corrally0="${y0}" corrally1="${y1}" corralx0="${x0}" corralx1="${x1}" corraly0="${y0}" corraly1="${y1}"`,
    `gsizex="${width}" gsizey="${height}" id="${escaped(simulation)}" opponent="${escaped(opponent)}" steps="${steps}"`,
  ]
  return message('sim-start', `<simulation ${attributes.join(' ')}/>\n`, timestamp)
}

/** `loose` is how the organisers' server spelled `lose`. */
export function simEnd(result: 'win' | 'draw' | 'lose' | 'loose', score: number, timestamp: number): Bytes {
  return message('sim-end', `<sim-result result="${result}" score="${score}"/>\n`, timestamp)
}

export function bye(timestamp: number): Bytes {
  return encoder.encode(`${HEADER}\n<message timestamp="${timestamp}" type="bye"/>\n\0`)
}

export function pong(payload: string, timestamp: number): Bytes {
  return message('pong', `<payload value="${escaped(payload)}"/>\n`, timestamp)
}

/** A perception with the identifier of its request: cells column by column, as they are in the message. */
export function requestAction(perception: PerceptionMessage, id: string, deadline: number, timestamp: number): Bytes {
  const { step, x, y, score, cells } = perception
  let body = `<perception deadline="${deadline}" id="${id}" posx="${x}" posy="${y}" score="${score}" step="${step}">\n`
  for (const cell of cells) body += cellText(cell)
  return message('request-action', `${body}</perception>\n`, timestamp)
}

/** A newline after each tag: the organisers' clients read the content of a cell from its second child. */
function message(type: string, body: string, timestamp: number): Bytes {
  return encoder.encode(`${HEADER}\n<message timestamp="${timestamp}" type="${type}">\n${body}</message>\n\0`)
}

/** Cells are the same objects again and again, see perception.ts. */
const cellTexts = new WeakMap<SeenCell, string>()

function cellText(cell: SeenCell): string {
  let text = cellTexts.get(cell)
  if (text === undefined) {
    text = `<cell x="${cell.x}" y="${cell.y}">\n${contentText(cell)}</cell>\n`
    cellTexts.set(cell, text)
  }
  return text
}

function contentText({ agent, cow, obstacle, corral, unknown }: SeenCell): string {
  if (unknown === true) return '<unknown/>\n'
  let text = ''
  if (agent !== undefined) text += `<agent type="${agent}"/>\n`
  if (cow !== undefined) text += `<cow ID="${cow}"/>\n`
  if (obstacle === true) text += '<obstacle/>\n'
  if (corral !== undefined) text += `<corral type="${corral}"/>\n`
  return text === '' ? '<empty/>\n' : text
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** A text as the value of an attribute. */
const escaped = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (character) => references[character]!)
