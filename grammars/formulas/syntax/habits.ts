import { behind, closing, enclosing, isOperandEnd, isOperandStart, operandStart, touches } from './repair.ts'
import type { Repair } from './repair.ts'
import { foreignCalls } from './foreign-calls.ts'
import { foreignNumber } from './foreign-numbers.ts'
import { inserted, replaced, shown, type Stop } from './stop.ts'

type Habit = (stop: Stop) => Repair | null

/** Repairs a notation of other languages in formulas at which the parser stopped; null: the notation is not known. */
export function formulaHabit(stop: Stop): Repair | null {
  for (const habit of habits) {
    const repair = habit(stop)
    if (repair !== null) return repair
  }
  return null
}

/** The words of formulas by other names; a word in capitals counts as itself. */
const foreignWords: Readonly<Record<string, string>> = {
  elif: 'else if',
  elseif: 'else if',
  elsif: 'else if',
  foreach: 'for',
  forall: 'for',
  xor: '!=',
  when: 'if',
  is: '=',
  equals: '=',
  var: 'let',
  val: 'let',
  const: 'let',
  assert: 'require',
  ensure: 'require',
  check: 'require',
  constraint: 'require',
  demand: 'require',
  otherwise: 'else',
}
const words = /^(if|then|else|let|match|for|in|where|or|and|not|div|mod|subset|require)$/

const habits: readonly Habit[] = [
  // Words in other letters or of other languages: here, or just before, where they were read as names.
  (stop) => word(stop, stop.i) ?? word(stop, stop.i - 1),
  (stop) => {
    if (stop.tokens[stop.i]?.image !== ';') return null
    const hint = 'Only "let name = value;" has a semicolon.'
    const message = 'A semicolon means nothing here.'
    return replaced(stop, stop.i, stop.i, '', { code: 'semicolon', message, hint })
  },
  typeArguments,
  typeFirst,
  resultType,
  bodyInBraces,
  foreignIf,
  loopWithParentheses,
  loopOfPairs,
  aggregateOfMiniZinc,
  setInBraces,
  foreignCalls,
  foreignNumber,
  foreignRange,
  textPrefix,
  missingComma,
  missingTimes,
]

function word(stop: Stop, i: number): Repair | null {
  const token = stop.tokens[i]
  if (token === undefined || stop.tokens[i - 1]?.image === '.') return null
  const lower = token.image.toLowerCase()
  if (token.image !== lower && words.test(lower)) {
    const message = `${shown(token)} is a word of the language in other letters.`
    return replaced(stop, i, i, lower, { code: 'word-case', message, hint: `Write "${lower}".` })
  }
  if (!Object.hasOwn(foreignWords, token.image)) return null
  const instead = foreignWords[token.image]!
  if (token.image === 'is' && stop.tokens[i + 1]?.image === 'not') {
    const message = '"is not" is of another language.'
    return replaced(stop, i, i + 1, '!=', { code: 'word-foreign', message, hint: 'Inequality is written "!=".' })
  }
  // A word that was read as a name is one, unless a name cannot stand there.
  if (i < stop.i && !(instead === 'let' || instead === 'for')) return null
  if (instead === 'require' ? stop.rule !== 'demands' : isDemand(stop) && instead !== 'for') return null
  const message = `${shown(token)} is a word of another language.`
  return replaced(stop, i, i, instead, { code: 'word-foreign', message, hint: `Write "${instead}".` })
}

/** True where a requirement begins; behind its condition operators of other languages may stand. */
function isDemand({ rule, wanted }: Stop): boolean {
  return rule === 'demands' && wanted !== '"else"'
}

const listNames = /^(list|array|set|seq|sequence|vector|arraylist)$/i

/** `list[int]`, `List(int)`, `int[]`, `[int]`, `array[1..n] of int` in the type of a parameter. */
function typeArguments(stop: Stop): Repair | null {
  const { source, tokens, i, rule } = stop
  if (rule !== 'typeName' && rule !== 'definition') return null
  const open = tokens[i]?.image
  if (open === 'of' && /^(set|array|seq|sequence|vector)$/i.test(tokens[i - 1]?.image ?? '')) {
    const found = { code: 'type-arguments' as const, message: `${shown(tokens[i - 1])} means nothing in a type.` }
    return replaced(stop, i - 1, i, 'list of', { ...found, hint: 'A set is a list here: "list of int".' })
  }
  if (open !== '[' && open !== '(' && open !== '<') return null
  const close = open === '<' ? tokens.findIndex((token, at) => at > i && token.image === '>') : closing(tokens, i)
  if (close === -1) return null
  const inner = source.slice(behind(tokens[i]!), tokens[close]!.startOffset).trim()
  const before = tokens[i - 1]?.image ?? ''
  const found = {
    code: 'type-arguments' as const,
    message: `${shown(tokens[i])} means nothing in a type.`,
    hint: 'A list of integers is written "list of int", also for parameters.',
  }
  if (listNames.test(before)) {
    if (tokens[close + 1]?.image === 'of') return replaced(stop, i - 1, close + 1, 'list of', found)
    return replaced(stop, i - 1, close, `list of ${inner}`, found)
  }
  if (before === ':') return replaced(stop, i, close, `list of ${inner}`, found)
  if (/^option(al)?$/i.test(before)) return replaced(stop, i - 1, close, `option of ${inner}`, found)
  return open === '[' && inner === '' ? replaced(stop, i - 1, close, `list of ${before}`, found) : null
}

/** `int x` where `x: int` is meant, in parameters. */
function typeFirst(stop: Stop): Repair | null {
  const { tokens, i, rule } = stop
  if (rule !== 'definition') return null
  const type = tokens[i - 1]?.image ?? ''
  const before = tokens[i - 2]?.image
  const inParameters = before === '(' || before === ','
  const code = 'type-first'
  const hint = 'A parameter is written "name: type".'
  if (inParameters && /^[A-Za-z]/.test(tokens[i]?.image ?? '')) {
    const name = tokens[i]!.image
    const message = `${shown(tokens[i - 1])} comes before the name.`
    return replaced(stop, i - 1, i, `${name}: ${type}`, { code, message, hint })
  }
  if (!inParameters || (tokens[i]?.image !== ')' && tokens[i]?.image !== ',')) return null
  const message = `The parameter ${shown(tokens[i - 1])} has no type.`
  return inserted(stop, i, ': int', { code: 'type-missing', message, hint, certain: false })
}

/** `define f(x: int): int = ...` */
function resultType(stop: Stop): Repair | null {
  const { tokens, i, rule } = stop
  if (rule !== 'definition' || tokens[i]?.image !== ':' || tokens[i - 1]?.image !== ')') return null
  const found = {
    code: 'type-of-result' as const,
    message: 'The type of the result is not written.',
    hint: 'Write "=" and the formula.',
  }
  const equal = tokens.findIndex((token, at) => at > i && token.image === '=')
  if (equal > 0 && equal <= i + 5) return replaced(stop, i, equal - 1, '', found)
  // Python: the colon begins the body.
  return replaced(stop, i, tokens[i + 1]?.image === 'return' ? i + 1 : i, ' =', { ...found, code: 'sign-missing' })
}

/** `define f(x: int) { return x }`, and the same with `=` before the brace. */
function bodyInBraces(stop: Stop): Repair | null {
  const { source, tokens, i, rule } = stop
  if (tokens[i]?.image !== '{') return null
  const equal = tokens[i - 1]?.image === '='
  if (rule !== 'definition' && !equal && !/^(then|else)$/.test(tokens[i - 1]?.image ?? '')) return null
  const close = closing(tokens, i)
  if (close === -1) return null
  const inner = source.slice(behind(tokens[i]), tokens[close]!.startOffset).trim()
  // A set is a list here.
  if (rule !== 'definition' && /^[^;{}]*,[^;{}]*$/.test(inner)) return null
  const formula = inner.replace(/^return\b\s*/, '').replace(/;$/, '')
  const message = 'Braces mean nothing around a formula.'
  const hint = 'A formula stands alone; parentheses may be around it.'
  const text = rule === 'definition' ? `= ${formula}` : `(${formula})`
  return replaced(stop, i, close, text, { code: 'braces', message, hint })
}

/** `if c: a else: b`, `if (c) a else b`, `a if c else b`, `[x for x in list if c]`. */
function foreignIf(stop: Stop): Repair | null {
  const { source, tokens, i, rule, wanted } = stop
  const token = tokens[i]
  const hint = 'This is written "if condition then a else b".'
  const code = 'if-form'
  if (rule === 'ifThenElse' && wanted === '"then"') {
    const message = `Found ${shown(token)} where "then" is needed.`
    if (token?.image === ':') return replaced(stop, i, i, ' then', { code, message, hint })
    if (isOperandStart(token)) return inserted(stop, i, ' then', { code, message, hint })
    return null
  }
  if (token?.image === ':' && tokens[i - 1]?.image === 'else') {
    return replaced(stop, i, i, '', { code, message: 'A colon means nothing after "else".', hint })
  }
  if (rule === 'ifThenElse' && wanted === '"else"') {
    const message = 'This "if" has no "else".'
    return inserted(stop, i, ' else 0', { code: 'else-missing', message, hint, certain: false })
  }
  if (token?.image !== 'if') return null
  const open = enclosing(tokens, i)
  const isLoop = open >= 0 && tokens.slice(open, i).some(({ image }) => image === 'for')
  if (isLoop) {
    const message = 'The condition of a loop follows "where".'
    return replaced(stop, i, i, 'where', { code: 'loop-form', message, hint: 'Write "for x in list where condition".' })
  }
  const first = operandStart(tokens, i - 1)
  const otherwise = tokens.findIndex(({ image }, at) => at > i && image === 'else')
  if (first === -1 || otherwise === -1) return null
  const yes = source.slice(tokens[first]!.startOffset, behind(tokens[i - 1]!))
  const condition = source.slice(behind(token), tokens[otherwise]!.startOffset).trim()
  const message = 'The condition comes before the value.'
  return replaced(stop, first, otherwise, `if ${condition} then ${yes} else`, { code, message, hint })
}

/** `for (x in list)` */
function loopWithParentheses(stop: Stop): Repair | null {
  const { source, tokens, i, rule } = stop
  if (rule !== 'loop') return null
  const code = 'loop-form'
  const hint = 'A loop is written "for x in list", of numbers "for i in 1..n".'
  if (tokens[i]?.image === '(' && tokens[i - 1]?.image === 'for') {
    const close = closing(tokens, i)
    if (close === -1) return null
    const inner = source.slice(behind(tokens[i]), tokens[close]!.startOffset).trim()
    const message = 'A loop has no parentheses.'
    return replaced(stop, i, close, inner, { code, message, hint })
  }
  if (tokens[i]?.image === '=' && tokens[i - 2]?.image === 'for') {
    const message = 'A loop goes through a list.'
    const to = tokens.findIndex(({ image }, at) => at > i && at < i + 4 && image === 'to')
    if (to > 0) {
      const low = source.slice(behind(tokens[i]), tokens[to]!.startOffset).trim()
      return replaced(stop, i, to, `in ${low}..`, { code, message, hint })
    }
    return replaced(stop, i, i, 'in', { code, message, hint })
  }
  if (/^(of|from)$/.test(tokens[i]?.image ?? '') && tokens[i - 2]?.image === 'for') {
    return replaced(stop, i, i, 'in', { code, message: `Found ${shown(tokens[i])} where "in" is needed.`, hint })
  }
  return null
}

/** `for i, x in enumerate(list)` */
function loopOfPairs(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  if (tokens[i]?.image !== ',' || tokens[i - 2]?.image !== 'for' || tokens[i + 2]?.image !== 'in') return null
  const found = {
    code: 'loop-form' as const,
    message: 'A loop has one variable, and another one for the number of the element.',
    hint: 'Write "for x at i in list"; elements are counted from 1.',
  }
  const [index, element] = [tokens[i - 1]!.image, tokens[i + 1]!.image]
  const call = tokens[i + 3]?.image === 'enumerate' ? closing(tokens, i + 4) : -1
  if (call === -1) return replaced(stop, i - 1, i + 1, `${element} at ${index}`, { ...found, certain: false })
  const list = source.slice(behind(tokens[i + 4]!), tokens[call]!.startOffset)
  return replaced(stop, i - 1, call, `${element} at ${index} in ${list}`, found)
}

const aggregates: Readonly<Record<string, string>> = {
  forall: 'all',
  exists: 'exists',
  sum: 'sum',
  min: 'min',
  max: 'max',
  all: 'all',
  any: 'exists',
}

/** MiniZinc's `forall(i in 1..n)(condition)`. */
function aggregateOfMiniZinc(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  if (tokens[i]?.image !== '(' || tokens[i - 1]?.image !== ')') return null
  const open = enclosing(tokens, i - 1)
  const name = tokens[open - 1]?.image ?? ''
  const close = closing(tokens, i)
  if (!Object.hasOwn(aggregates, name) || close === -1) return null
  const generators = source.slice(behind(tokens[open]!), tokens[i - 1]!.startOffset).trim()
  if (!/^[\w$]+(\s*,\s*[\w$]+)*\s+in\b/.test(generators)) return null
  const [, names = '', rest = ''] = /^([\w$\s,]+?)\s+in\b\s*([^]*)$/.exec(generators) ?? []
  const loops = names.split(',').map((one) => `for ${one.trim()} in ${rest}`)
  const body = source.slice(behind(tokens[i]), tokens[close]!.startOffset).trim()
  const instead = aggregates[name]!
  const message = `The loop of ${name}(...) comes after what it gathers.`
  const hint = `Write "${instead}(formula for x in list)".`
  return replaced(stop, open - 1, close, `${instead}(${body} ${loops.join(' ')})`, { code: 'loop-form', message, hint })
}

/** `{1, 2}` for a list. */
function setInBraces(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  if (tokens[i]?.image !== '{' || stop.rule === 'demands') return null
  const close = closing(tokens, i)
  if (close === -1 || isOperandEnd(tokens[i - 1])) return null
  const inner = source.slice(behind(tokens[i]), tokens[close]!.startOffset).trim()
  if (/[;{}]|\brequire\b/.test(inner)) return null
  const message = 'A set is a list here.'
  return replaced(stop, i, close, `[${inner}]`, {
    code: 'braces',
    message,
    hint: 'Lists are written in brackets: [1, 2].',
  })
}

/** `[1 2]` and `f(a b)` */
function missingComma(stop: Stop): Repair | null {
  const { source, tokens, i, wanted } = stop
  const [before, token] = [tokens[i - 1], tokens[i]]
  if (before === undefined || token === undefined || (wanted !== '"]"' && wanted !== '")"')) return null
  if (!isOperandEnd(before) || !isOperandStart(token) || touches(before, token)) return null
  // On another line something new begins.
  if (/[\r\n]/.test(source.slice(behind(before), token.startOffset))) return null
  const message = `Between ${shown(before)} and ${shown(token)} a comma is missing.`
  return inserted(stop, i, ',', { code: 'sign-missing', message, hint: 'Elements are separated by commas.' })
}

/** `2x` */
function missingTimes(stop: Stop): Repair | null {
  const { tokens, i } = stop
  const [before, token] = [tokens[i - 1], tokens[i]]
  if (before === undefined || token === undefined || !/^\d/.test(before.image) || !/^[A-Za-z(]/.test(token.image))
    return null
  if (!touches(before, token)) return null
  const message = `Between ${shown(before)} and ${shown(token)} a sign is missing.`
  return inserted(stop, i, ' * ', { code: 'sign-missing', message, hint: 'A product is written with "*".' })
}

/** `1 to n` and `x between 1 and n` */
function foreignRange(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  const hint = 'A range is written with two dots: x in 1..n.'
  const message = `${shown(tokens[i])} is a word of another language.`
  if (tokens[i]?.image === 'to' && isOperandEnd(tokens[i - 1]) && isOperandStart(tokens[i + 1]))
    return replaced(stop, i, i, '..', { code: 'range-sign', message, hint })
  if (tokens[i]?.image !== 'between') return null
  const and = tokens.findIndex(({ image }, at) => at > i && image === 'and')
  if (and === -1) return null
  const low = source.slice(behind(tokens[i]), tokens[and]!.startOffset).trim()
  return replaced(stop, i, and, `in ${low}..`, { code: 'word-foreign', message, hint })
}

/** `f"text"`, `return x`, `endif` */
function textPrefix(stop: Stop): Repair | null {
  const { tokens, i } = stop
  const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]]
  if (token === undefined) return null
  if (/^[fFrRbBuUL]$/.test(token.image) && next?.image.startsWith('"') === true && touches(token, next)) {
    const message = `${shown(token)} means nothing before a text.`
    return replaced(stop, i, i, '', {
      code: 'quotes',
      message,
      hint: 'Values stand in braces: "At most {config.most}."',
    })
  }
  if (before?.image === 'return' && isOperandStart(token)) {
    const hint = 'A function is its formula.'
    return replaced(stop, i - 1, i - 1, '', { code: 'word-foreign', message: 'Nothing is returned here.', hint })
  }
  if (!/^(endif|end_if|fi)$/.test(token.image)) return null
  const message = `${shown(token)} means nothing here.`
  return replaced(stop, i, i, '', {
    code: 'word-foreign',
    message,
    hint: 'An "if" ends with its formula after "else".',
  })
}
