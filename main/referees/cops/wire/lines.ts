import { printSkeleton } from '../../../../grammars/cops/index.ts'
import type { Message, TwistNews, WorldMessage } from '../messages.ts'

const encoder = new TextEncoder()
/** A message that says the same to several brains is one object, and its bytes are made once. */
const made = new WeakMap<Message, Uint8Array>()

/** `linesOf` as bytes, which nobody may change. */
export function bytesOf(message: Message): Uint8Array {
  const before = made.get(message)
  if (before !== undefined) return before
  const bytes = encoder.encode(linesOf(message))
  made.set(message, bytes)
  return bytes
}

/** A message in the lines of section 3.2.2, each ended by a newline; empty for one that is not sent. */
function linesOf(message: Message): string {
  switch (message.type) {
    case 'register':
      return ''
    case 'skeleton':
      return printSkeleton(message)
    case 'world':
      return worldLines(message)
    case 'informs':
      return from(
        message.from.map(({ bot, informs }) => ({
          bot,
          lines: block(
            'inf',
            informs,
            (each) => `${each.bot} ${each.loc} ${each.ptype} ${each.world} ${each.certainty}`,
          ),
        })),
      )
    case 'plans':
      return from(
        message.from.map(({ bot, plan }) => ({
          bot,
          lines: block('plan', plan, (each) => `${each.bot} ${each.loc} ${each.ptype} ${each.world}`),
        })),
      )
    case 'tally':
      return message.winner === null ? 'nowinner:\n' : `winner: ${message.winner}\n`
    case 'offers':
      return message.bots === null ? 'nottelling:\n' : block('ofc', message.bots, (bot) => bot)
    case 'accused':
      return 'accused:\n'
    case 'game-over':
      return 'game-over\n'
  }
}

function worldLines({ world, loot, twist, banks, evidence, smell, players }: WorldMessage): string {
  return [
    `wor\\\nwor: ${world}\nrbd: ${loot}\n`,
    twist === undefined ? '' : twistLines(twist),
    block('bv', banks, ({ loc, value }) => `${loc} ${value}`),
    block('ev', evidence, (each) => `${each.loc} ${each.world}`),
    `smell: ${smell}\n`,
    block('pl', players, ({ bot, loc, ptype }) => `${bot} ${loc} ${ptype}`),
    'wor/\n',
  ].join('')
}

function twistLines({ dirty, control, accusations }: TwistNews): string {
  return [
    block('dc', dirty, (brain) => brain),
    block('sc', control, ({ brain, bot }) => `${brain} ${bot}`),
    block('fac', accusations, ({ accuser, accused, world }) => `${accuser} ${accused} ${world}`),
  ].join('')
}

function block<T>(name: string, values: readonly T[], line: (value: T) => string): string {
  return `${name}\\\n${values.map((value) => `${name}: ${line(value)}\n`).join('')}${name}/\n`
}

function from(blocks: readonly { readonly bot: string; readonly lines: string }[]): string {
  return `from\\\n${blocks.map(({ bot, lines }) => `from: ${bot}\n${lines}`).join('')}from/\n`
}
