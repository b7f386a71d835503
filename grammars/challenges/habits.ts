import { nearest } from '../class-dictionary/checking/suggest.ts'
import { behind, closing, enclosing, isOperandStart, operandStart } from '../formulas/syntax/repair.ts'
import type { Repair } from '../formulas/syntax/repair.ts'
import { formulaHabit } from '../formulas/syntax/habits.ts'
import { inserted, replaced, shown, type Stop } from '../formulas/syntax/stop.ts'
import type { ProblemCode } from '../problem-codes.ts'
import { sectionNames } from './section-words.ts'

/** Repairs a notation of other languages at which the parser of a file stopped; null: the notation is not known. */
export function habitAt(stop: Stop): Repair | null {
  for (const habit of [setting, goal, equalSign, blockBraces, subject, demand, rule, rangeEnds, section]) {
    const repair = habit(stop)
    if (repair !== null) return repair
  }
  return formulaHabit(stop)
}

/** The kind of a mistake that is not repaired, and advice. */
export function kindOf({ tokens, i, rule, wanted }: Stop): { readonly code: ProblemCode; readonly hint?: string } {
  if (wanted === '")"' || wanted === '"]"' || wanted === '"}"')
    return { code: 'bracket-missing', hint: `Write ${wanted} where the bracket ends.` }
  if (wanted === '"{"') return { code: 'bracket-missing', hint: 'Write { before the contents and } after them.' }
  if (tokens[i]?.image === '}' && (rule === 'section' || rule === 'file'))
    return { code: 'bracket-missing', hint: 'Remove it, or write the { that it closes.' }
  const hint = forms[rule]
  return { code: 'syntax', ...(hint === undefined ? {} : { hint }) }
}

const sections = `Sections are ${sectionNames.join(', ')}.`

/** How the parts of a file are written, by the rule of the grammar. */
const forms: Readonly<Record<string, string>> = {
  header: 'A file begins with: challenge name "title"',
  section: sections,
  file: sections,
  setting: 'A setting is written: name = default in low..high',
  definition: 'A function is written: define name(parameter: type) = formula',
  demands: 'A requirement is written: require condition else "sentence"',
  propertyRule: 'A rule is written: Class.field: constraint',
  loop: 'A loop is written: for x in list',
  generator: 'A generator is written: generate { instance = formula }',
  league: 'A league is written: league name "title" { requirements }',
  example: 'An example is written: example "name" { predicate {{ }} instance {{ }} solution {{ }} quality = 1 }',
}

function setting(stop: Stop): Repair | null {
  const { source, tokens, i, rule, wanted } = stop
  const token = tokens[i]
  const hint = forms['setting']!
  if (rule === 'config' && token?.image === ',') {
    return replaced(stop, i, i, '', { code: 'comma', message: 'Settings have no commas between them.', hint })
  }
  if (rule === 'number' && token?.image === '[' && tokens[i - 1]?.image === 'in') {
    const close = closing(tokens, i)
    const [low, high, more] = source.slice(behind(token), tokens[close]?.startOffset ?? 0).split(',')
    if (low === undefined || high === undefined || more !== undefined) return null
    const found = { code: 'range-sign' as const, message: 'The range of a setting has no brackets.', hint }
    return replaced(stop, i, close, `${low.trim()}..${high.trim()}`, found)
  }
  if (rule !== 'setting') return null
  if (
    wanted === '"="' &&
    token !== undefined &&
    /^(int|number|float|double|var|let|const|param)$/.test(tokens[i - 1]?.image ?? '')
  ) {
    const message = `${shown(tokens[i - 1])} means nothing before a setting.`
    return replaced(stop, i - 1, i, token.image, { code: 'type-first', message, hint })
  }
  if (wanted === '"="' && token?.image === ':') {
    return replaced(stop, i, i, ' =', { code: 'sign-missing', message: 'The default of a setting follows "=".', hint })
  }
  if (wanted === '"in"' && /^(from|range|:)$/.test(token?.image ?? '')) {
    return replaced(stop, i, i, ' in', { code: 'word-foreign', message: 'The range of a setting follows "in".', hint })
  }
  if (wanted === '"in"') {
    const message = `The setting ${tokens[i - 3]?.image ?? ''} has no range.`
    return inserted(stop, i, ` in ${tokens[i - 1]!.image}..${tokens[i - 1]!.image}`, {
      code: 'range-missing',
      message,
      hint,
      certain: false,
    })
  }
  if (wanted === '".."' && /^(-|,|to)$/.test(token?.image ?? '')) {
    return replaced(stop, i, i, '..', {
      code: 'range-sign',
      message: 'The ends of a range have two dots between them.',
      hint,
    })
  }
  return null
}

function goal(stop: Stop): Repair | null {
  const { tokens, i, rule } = stop
  const image = tokens[i]?.image ?? ''
  if (rule !== 'goal' || tokens[i - 1]?.image !== '=') return null
  const found = /^"?(max|min|larg|small|high|low)/i.exec(image)
  if (found === null) return null
  const instead = /^(max|larg|high)$/i.test(found[1]!) ? 'max' : 'min'
  const message = `${shown(tokens[i])} does not name a goal.`
  return replaced(stop, i, i, instead, { code: 'word-foreign', message, hint: 'The goals are "max" and "min".' })
}

/** `measure: formula`, `bound formula`, `quality 1` */
function equalSign(stop: Stop): Repair | null {
  const { tokens, i, rule, wanted } = stop
  if (wanted !== '"="' || !/^(formulaSection|goal|example|exampleConfig|definition|letIn)$/.test(rule)) return null
  const token = tokens[i]
  const message = `After ${shown(tokens[i - 1])} comes "=".`
  const found = { code: 'sign-missing' as const, message, hint: 'Write "=" between them.' }
  if (token?.image === ':' && rule !== 'definition') return replaced(stop, i, i, ' =', found)
  return isOperandStart(token) || token?.image === '-' ? inserted(stop, i, ' =', found) : null
}

/** `predicate { 1 }` for `predicate {{ 1 }}` */
function blockBraces(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  if (tokens[i]?.image !== '{' || !/^(text|dictionary|predicate|instance|solution)$/.test(tokens[i - 1]?.image ?? ''))
    return null
  if (stop.wanted !== '{{ ... }}') return null
  const close = closing(tokens, i)
  if (close === -1) return null
  const inner = source.slice(behind(tokens[i]), tokens[close]!.startOffset)
  const message = `The text after ${shown(tokens[i - 1])} has two braces on each side.`
  const hint = 'Write {{ before it and }} after it.'
  return { ...replaced(stop, i, close, `{{${inner}}}`, { code: 'braces', message, hint }), added: 1 }
}

/** `legal Instance`, `legal solution`, `feasible instance` */
function subject(stop: Stop): Repair | null {
  const { tokens, i, rule } = stop
  if (rule !== 'judged' && rule !== 'property') return null
  const image = tokens[i]?.image ?? ''
  const before = tokens[i - 1]?.image ?? ''
  const lower = image.toLowerCase()
  if (!/^(predicate|instance|solution)$/.test(lower)) return null
  const right = before === 'property' ? before : lower === 'solution' ? 'feasible' : 'legal'
  if (before === right) {
    const message = `${shown(tokens[i])} is written with a small letter here.`
    return replaced(stop, i, i, lower, { code: 'word-case', message, hint: 'Classes have capitals, values have none.' })
  }
  const hint = 'Predicates and instances are legal, solutions are feasible.'
  const message = `The section "${before} ${image}" is unknown.`
  return replaced(stop, i - 1, i, `${right} ${lower}`, { code: 'section-unknown', message, hint })
}

function demand(stop: Stop): Repair | null {
  const { source, tokens, i, rule, wanted } = stop
  if (rule !== 'demands') return null
  const token = tokens[i]
  const hint = forms['demands']!
  if (wanted === '"else"') {
    const message = 'The sentence of a requirement follows "else".'
    if (token?.image === ',' || token?.image === ':')
      return replaced(stop, i, i, ' else', { code: 'else-missing', message, hint })
    if (token?.image.startsWith('"')) return inserted(stop, i, ' else', { code: 'else-missing', message, hint })
    if (token !== undefined && !/^(require|for|\})$/.test(token.image)) return null
    const found = {
      code: 'sentence-missing' as const,
      message: 'This requirement has no sentence for the player who fails it.',
      hint,
    }
    return inserted(stop, i, ' else ""', { ...found, certain: false })
  }
  if (!isOperandStart(token) || token === undefined || wanted === 'a text in quotes') return null
  const line = /[^\r\n]*/.exec(source.slice(token.startOffset, token.startOffset + 2000))?.[0] ?? ''
  if (!/\belse\s*"/.test(line) || /^\w+\s+\w/.test(line)) return null
  const from = token.startOffset
  const message = 'A requirement begins with "require".'
  return { from, to: from, text: 'require ', code: 'word-missing', message, hint, certain: true }
}

/** `Item.weight range 1 9`, `Item.weight = 3` */
function rule(stop: Stop): Repair | null {
  const { tokens, i, wanted } = stop
  if (stop.rule !== 'propertyRule' || wanted !== '":"') return null
  const found = {
    code: 'sign-missing' as const,
    message: `After ${shown(tokens[i - 1])} comes a colon.`,
    hint: forms['propertyRule']!,
  }
  if (tokens[i]?.image === '=') return replaced(stop, i, i, ':', found)
  return tokens[i - 2]?.image === '.' ? inserted(stop, i, ':', found) : null
}

/** `range 2..x`, `range 2, x`, `range(2, x)`, `range [2, x]`, `range 1 n - 1` */
function rangeEnds(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  const image = tokens[i]?.image ?? ''
  const found = {
    code: 'range-ends' as const,
    message: 'The ends of "range" stand one after the other.',
    hint: 'Write "range low high", with parentheses around an end that has operators.',
  }
  const before = operandStart(tokens, i - 1)
  if ((image === '..' || image === ',') && tokens[before - 1]?.image === 'range') {
    return replaced(
      stop,
      i,
      i,
      image === '..' || /\s/.test(source.charAt(tokens[i]!.startOffset - 1)) ? ' ' : '',
      found,
    )
  }
  const open =
    image === ',' || image === '..'
      ? enclosing(tokens, i)
      : tokens[i - 1]?.image === ']'
        ? enclosing(tokens, i - 1)
        : -1
  if (tokens[open - 1]?.image === 'range') {
    const close = closing(tokens, open)
    const ends = source.slice(behind(tokens[open]!), tokens[close]?.startOffset ?? 0).split(/,|\.\./)
    if (close === -1 || ends.length !== 2) return null
    return replaced(stop, open, close, ` ${ends.map(end).join(' ')}`, found)
  }
  if (/^(\+|-|\*|\/|div|mod)$/.test(image) && tokens[operandStart(tokens, before - 1) - 1]?.image === 'range') {
    let last = i
    while (last + 1 < tokens.length && !/^[,}]$/.test(tokens[last + 1]!.image) && isSameLine(source, tokens, last))
      last++
    const text = `(${source.slice(tokens[before]!.startOffset, behind(tokens[last]!))})`
    return { ...replaced(stop, before, last, text, found), at: tokens[before]!.startOffset }
  }
  return null
}

function end(text: string): string {
  const formula = text.trim()
  return /^[\w$.]+$/.test(formula) ? formula : `(${formula})`
}

function isSameLine(source: string, tokens: Stop['tokens'], i: number): boolean {
  return !/[\r\n]/.test(source.slice(behind(tokens[i]!), tokens[i + 1]!.startOffset))
}

/** The words that begin sections by other names. */
const foreignSections: Readonly<Record<string, string>> = {
  def: 'define',
  function: 'define',
  func: 'define',
  fn: 'define',
  settings: 'config',
  parameters: 'config',
  params: 'config',
  description: 'text',
  types: 'dictionary',
  grammar: 'dictionary',
  classes: 'dictionary',
  score: 'measure',
  objective: 'measure',
  generator: 'generate',
  properties: 'property',
  test: 'example',
}

/** A word at the beginning of a line that begins no section. */
function section(stop: Stop): Repair | null {
  const { source, tokens, i, rule } = stop
  if (rule !== 'section' && rule !== 'file') return null
  const token = tokens[i]
  if (token === undefined || !/^[A-Za-z]/.test(token.image)) return null
  if (!/(^|[\r\n])[ \t]*$/.test(source.slice(Math.max(0, token.startOffset - 100), token.startOffset))) return null
  const known = Object.hasOwn(foreignSections, token.image)
    ? foreignSections[token.image]!
    : nearest(token.image, sectionNames)
  if (known === null || sectionNames.includes(token.image)) return null
  const message = `No section begins with ${shown(token)}.`
  const code = token.image.toLowerCase() === known ? 'word-case' : 'section-unknown'
  return replaced(stop, i, i, known, { code, message, hint: `Did you mean "${known}"?` })
}
