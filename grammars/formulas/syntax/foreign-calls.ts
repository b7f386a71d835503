import { behind, closing, enclosing, operandStart } from './repair.ts'
import type { Repair } from './repair.ts'
import { replaced, type Stop } from './stop.ts'

/** Methods of other languages that are functions of one list here. */
const functionOfMethod: Readonly<Record<string, string>> = {
  length: 'length',
  size: 'length',
  len: 'length',
  count: 'length',
  sort: 'sort',
  sorted: 'sort',
  reverse: 'reverse',
  max: 'max',
  min: 'min',
  sum: 'sum',
}
const memberTests = /^(contains|includes|has|indexOf)$/
const numberFunctions: ReadonlySet<string> = new Set(['max', 'min', 'abs', 'floor', 'ceil', 'sqrt'])

/** `list.contains(x)`, `list.size()`, `Math.max(a, b)`, `list[1:3]` */
export function foreignCalls(stop: Stop): Repair | null {
  const { source, tokens, i, wanted } = stop
  const image = tokens[i]?.image
  if (image === ':' && wanted === '"]"') return slice(stop)
  const [method, point] = [tokens[i - 1]?.image ?? '', tokens[i - 2]]
  if (image !== '(' || point?.image !== '.') return null
  const close = closing(tokens, i)
  const first = operandStart(tokens, i - 1)
  if (close === -1 || first === -1 || first >= i - 2) return null
  const owner = source.slice(tokens[first]!.startOffset, point.startOffset)
  const inner = source.slice(behind(tokens[i]!), tokens[close]!.startOffset).trim()
  const message = `Values have no methods, so no "${method.slice(0, 40)}".`
  const call = (from: number, to: number, text: string, hint: string): Repair =>
    replaced(stop, from, to, text, { code: 'call-form', message, hint })
  if (/^(Math|math)$/.test(owner) && numberFunctions.has(method))
    return call(first, i - 1, method, `The function is written ${method}(...).`)
  if (memberTests.test(method) && inner !== '')
    return call(first, close, `${inner} in ${owner}`, 'Membership is written "x in list".')
  const instead = Object.hasOwn(functionOfMethod, method) ? functionOfMethod[method] : undefined
  if (instead === undefined || inner !== '') return null
  return call(first, close, `${instead}(${owner})`, `The function is written ${instead}(list).`)
}

/** `list[1:3]`: other languages count from 0 and leave the last one out, so the numbers are not known. */
function slice(stop: Stop): Repair | null {
  const { source, tokens, i } = stop
  const open = enclosing(tokens, i)
  const close = closing(tokens, open)
  const first = operandStart(tokens, open - 1)
  if (open < 1 || close === -1 || first === -1) return null
  const owner = source.slice(tokens[first]!.startOffset, tokens[open]!.startOffset)
  const [low, high] = [
    source.slice(behind(tokens[open]!), tokens[i]!.startOffset),
    source.slice(behind(tokens[i]!), tokens[close]!.startOffset),
  ]
  const message = 'An element has one number.'
  const hint = 'A part of a list is slice(list, first, last); elements are counted from 1.'
  const text = `slice(${owner}, ${low.trim() || '1'}, ${high.trim() || '1'})`
  return {
    ...replaced(stop, first, close, text, { code: 'call-form', message, hint, certain: false }),
    at: tokens[i]!.startOffset,
  }
}
