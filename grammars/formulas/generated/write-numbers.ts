import type { Order, Typed } from '../checking/typed.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'
import type { Operand } from './written.ts'

interface Writes {
  readonly lines: string[]
  keep(value: string, small?: boolean): Operand
  variable(first?: string): string
  write(tree: Typed): Operand
}

const MOST = '9007199254740991'

/** The condition that two operands are JS numbers, not fractions. */
export function bothSmall(a: Operand, b: Operand): string {
  const parts = [a, b].flatMap((one) => (one.small ? [] : [`typeof ${one.text} === 'number'`]))
  return parts.length === 0 ? 'true' : parts.join(' && ')
}

/** A statement that assigns a + b to a variable. */
export function sumIfSmall(into: string, a: Operand, b: Operand, at: number): string {
  const sum = `${a.text} + ${b.text}`
  const slow = `${into} = h.computeAt(f, '+', ${a.text}, ${b.text}, ${at});`
  return `if (${bothSmall(a, b)} && ${sum} <= ${MOST} && ${sum} >= -${MOST}) ${into} = ${sum}; else ${slow}`
}

export function writeArithmetic(operator: Arithmetic, args: readonly Operand[], at: number, writer: Writes): Operand {
  const [a, b] = args
  const whole = `[${args.map(({ text }) => text).join(', ')}]`
  if (a && !b && operator === 'abs') {
    const slow = `h.calculateAt(f, 'abs', ${whole}, ${at})`
    return a.small
      ? writer.keep(`Math.abs(${a.text})`, true)
      : writer.keep(`typeof ${a.text} === 'number' ? Math.abs(${a.text}) : ${slow}`)
  }
  if (!a || !b || args.length > 2 || operator === 'abs' || operator === 'floor') {
    return writer.keep(`h.calculateAt(f, '${operator}', ${whole}, ${at})`)
  }
  const slow = `h.computeAt(f, '${operator}', ${a.text}, ${b.text}, ${at})`
  const small = bothSmall(a, b)
  switch (operator) {
    case '+':
    case '-':
    case '*': {
      const result = writer.variable()
      // A product may be -0, which does not exist in this language.
      const computed = `${a.text} ${operator} ${b.text}${operator === '*' ? ' + 0' : ''}`
      const within = `(${result} = ${computed}) <= ${MOST} && ${result} >= -${MOST}`
      writer.lines.push(`if (!(${small} && ${within})) ${result} = ${slow};`)
      return { text: result, small: false }
    }
    case 'min':
    case 'max': {
      const sign = operator === 'min' ? '<=' : '>='
      return writer.keep(`${small} ? (${a.text} ${sign} ${b.text} ? ${a.text} : ${b.text}) : ${slow}`, small === 'true')
    }
    case 'mod':
      // For positive numbers the remainder equals that of JavaScript.
      return writer.keep(`${small} && ${a.text} >= 0 && ${b.text} > 0 ? ${a.text} % ${b.text} : ${slow}`)
    case '/':
    case 'div':
      return writer.keep(slow)
  }
}

export function writeOrder(operator: Order, a: Operand, b: Operand, writer: Writes): Operand {
  const plain = `${a.text} ${operator} ${b.text}`
  const small = bothSmall(a, b)
  return writer.keep(
    small === 'true' ? plain : `${small} ? ${plain} : h.orderFor(f, ${a.text}, ${b.text}) ${operator} 0`,
  )
}

/** Writes low <= value <= high. Unless it is a constant, the high end is evaluated only if the low end is met. */
export function writeBetween(tree: Typed & { kind: 'between' }, writer: Writes): Operand {
  const value = writer.write(tree.value)
  const low = writer.write(tree.low)
  const constant = tree.low.kind === 'constant' && typeof tree.low.value === 'number'
  if (constant) {
    const high = writer.write(tree.high)
    const above = writeOrder('<=', low, value, writer)
    const below = writeOrder('<=', value, high, writer)
    return writer.keep(`${above.text} && ${below.text}`)
  }
  const result = writer.variable(writeOrder('<=', low, value, writer).text)
  writer.lines.push(`if (${result}) {`)
  const below = writeOrder('<=', value, writer.write(tree.high), writer)
  writer.lines.push(`${result} = ${below.text};`, '}')
  return { text: result, small: false }
}

export function writeBit(bits: Operand, row: Operand, at: number, writer: Writes): Operand {
  const [b, r] = [bits.text, row.text]
  const near = `${bothSmall(bits, row)} && ${b} >= 0 && ${b} < 0x80000000 && ${r} >= 0 && ${r} < 32`
  return writer.keep(`${near} ? (${b} >> ${r} & 1) === 1 : h.bitAt(f, ${b}, ${r}, ${at})`)
}
