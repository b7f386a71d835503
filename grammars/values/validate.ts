import type { ChoiceNode, ClassNode, ListNode, Node } from '../class-dictionary/expand.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { MAX_DEPTH } from './parse.ts'
import { isIdent } from './scanner.ts'

type JsonObject = { readonly [key: string]: Json }

/** A list or an object whose inside is being looked at. */
type Frame =
  | { readonly node: ListNode; readonly elements: readonly Json[]; index: number }
  | { readonly node: ClassNode; readonly object: JsonObject; index: number }

/** The alternative that an object's `$` names. */
export type Alternatives = (node: ChoiceNode, name: string) => ClassNode | undefined

/** The first thing that keeps `value` from being a value of `root`, in the one JSON form. */
export function validateValue(
  root: Node,
  value: Json,
  vocabulary: Vocabulary,
  alternatives: Alternatives,
): { readonly path: string; readonly message: string } | null {
  const frames: Frame[] = []
  const wrong = begin(root, value)
  if (wrong !== null) return { path: '', message: wrong }
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const i = frame.index++
    let message: string | null = null
    if ('elements' in frame) {
      if (i >= frame.elements.length) {
        frames.pop()
        continue
      }
      message = begin(frame.node.of, frame.elements[i])
    } else {
      const item = frame.node.items[i]
      if (item === undefined) frames.pop()
      else if (item.kind === 'field') message = begin(item.type, frame.object[item.label])
    }
    if (message !== null) return { path: pathOf(frames, frame), message }
  }
  return null

  function begin(outer: Node, given: Json | undefined): string | null {
    let node = outer
    if (node.kind === 'option') {
      if (given === null) return null
      // An option of an option has no text of its own and is refused by the checks.
      node = node.of
    }
    switch (node.kind) {
      case 'lexical':
        return lexical(node.lexical, given)
      case 'list':
        if (!Array.isArray(given)) return expected('a list', given)
        frames.push({ node, elements: given as readonly Json[], index: 0 })
        break
      case 'class':
        return object(node, given, false)
      case 'choice': {
        if (!isObject(given)) return expected(`an object, a \`${node.text}\``, given)
        const name = Object.hasOwn(given, '$') ? given['$'] : undefined
        if (typeof name !== 'string') return `"$" is missing: it names the alternative of \`${node.text}\``
        const alternative = alternatives(node, name)
        if (alternative === undefined) return `${quote(name)} is no alternative of \`${node.text}\``
        return object(alternative, given, true)
      }
      default:
        return `\`${node.text}\` has no values here`
    }
    return tooDeep()
  }

  function object(node: ClassNode, given: Json | undefined, tagged: boolean): string | null {
    if (!isObject(given)) return expected(`an object, a \`${node.text}\``, given)
    let fields = tagged ? 1 : 0
    for (const item of node.items) {
      if (item.kind !== 'field') continue
      fields++
      if (!Object.hasOwn(given, item.label)) return `the field "${item.label}" of \`${node.text}\` is missing`
    }
    const keys = Object.keys(given)
    if (keys.length > fields) {
      const labels = new Set(node.items.flatMap((item) => (item.kind === 'field' ? [item.label] : [])))
      const extra = keys.find((key) => !labels.has(key) && !(tagged && key === '$'))
      return `\`${node.text}\` has no field ${quote(extra ?? '')}`
    }
    frames.push({ node, object: given, index: 0 })
    return tooDeep()
  }

  function tooDeep(): string | null {
    return frames.length > MAX_DEPTH ? `the value is nested more than ${MAX_DEPTH} deep` : null
  }

  function lexical(kind: 'int' | 'number' | 'ident' | 'string', given: Json | undefined): string | null {
    if (kind === 'int' || kind === 'number') {
      if (typeof given !== 'number') return expected(kind === 'int' ? 'a whole number' : 'a number', given)
      if (Object.is(given, -0)) return '-0 is not allowed, write 0'
      if (kind === 'number') return Number.isFinite(given) ? null : `${given} is not a number of this language`
      return Number.isSafeInteger(given) ? null : `${given} is not a whole number, or too large`
    }
    if (typeof given !== 'string') return expected(kind === 'ident' ? 'a name' : 'a string', given)
    if (kind === 'string') return given.isWellFormed() ? null : 'the string holds half a character (a lone surrogate)'
    if (isIdent(vocabulary, given)) return null
    return vocabulary.tokenOf.has(given)
      ? `${quote(given)} is a literal of this dictionary and cannot be a name`
      : `${quote(given)} is not a name`
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function expected(what: string, given: Json | undefined): string {
  const found =
    given === undefined || given === null
      ? 'nothing'
      : Array.isArray(given)
        ? 'a list'
        : typeof given === 'object'
          ? 'an object'
          : typeof given === 'string'
            ? `the string ${quote(given)}`
            : String(given)
  return `expected ${what}, found ${found}`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text)
}

/** `constraints[3].weight`: up to the frame in which something is wrong. Long ones keep their beginning and their end. */
function pathOf(frames: readonly Frame[], last: Frame): string {
  const upTo = frames.slice(0, frames.indexOf(last) + 1)
  const steps = upTo.map((frame, i) => {
    const at = frame.index - 1
    if ('elements' in frame) return `[${at}]`
    const item = frame.node.items[at]
    return item?.kind === 'field' ? `${i === 0 ? '' : '.'}${item.label}` : ''
  })
  return steps.length > 40 ? [...steps.slice(0, 20), '..', ...steps.slice(-20)].join('') : steps.join('')
}
