import { surveyChallenge } from '../../../../grammars/challenges/index.ts'
import { judgeDictionary, readDictionary } from '../../../../grammars/class-dictionary/index.ts'
import { challengeThings } from '../../../../grammars/language-services/challenge-things.ts'
import { completionsAfter, LOOK_BACK } from '../../../../grammars/language-services/complete.ts'
import type { Completions } from '../../../../grammars/language-services/complete.ts'
import { dictionaryCompletions, dictionaryHoverAt } from '../../../../grammars/language-services/dictionary-help.ts'
import { dictionaryThings } from '../../../../grammars/language-services/dictionary-things.ts'
import type { ReadFile } from '../../../../grammars/language-services/dictionary-things.ts'
import { formatDictionary } from '../../../../grammars/language-services/format-dictionary.ts'
import { formatChallenge } from '../../../../grammars/language-services/format.ts'
import { hoverAt } from '../../../../grammars/language-services/hover.ts'
import type { Hover } from '../../../../grammars/language-services/hover.ts'
import { merged } from '../../../../grammars/language-services/knowledge.ts'
import type { Knowledge } from '../../../../grammars/language-services/knowledge.ts'
import type { Things } from '../../../../grammars/language-services/occurrences.ts'
import type { Problem } from '../../../../grammars/problem.ts'

/** One version of an open file, and the answers to an editor's questions about it. Offsets are in its text. */
export interface OpenFile {
  readonly problems: readonly Problem[]
  readonly doubts: readonly Problem[]
  readonly knowledge: Knowledge | null
  /** The text itself, or an included file. */
  readonly read: ReadFile
  things(read: ReadFile): Things
  hover(offset: number): Hover | null
  completions(offset: number, asked: boolean): Completions | null
  formatted(): Formatted
}

/** A text laid out anew, or why its layout stays. */
type Formatted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'format-broken'; readonly error: string }

function formatted(text: string | null): Formatted {
  if (text !== null) return { ok: true, text }
  const error = 'The text has mistakes in its grammar, so its layout stays; correct them first.'
  return { ok: false, code: 'format-broken', error }
}

/** Reads a challenge. `before`: the knowledge of an earlier version, for parts that cannot be parsed now. */
export function openChallenge(text: string, before: Knowledge | null): OpenFile {
  const { problems, survey } = surveyChallenge(text)
  const knowledge: Knowledge = { survey: merged(before?.survey ?? null, survey), source: text }
  return {
    problems,
    doubts: [],
    knowledge,
    read: (file) => (file === null ? text : null),
    things: (read) => challengeThings(read(null) ?? ''),
    hover: (offset) => hoverAt(text, offset, knowledge),
    completions: (offset, asked) =>
      completionsAfter(text.slice(Math.max(0, offset - LOOK_BACK), offset), knowledge, asked),
    formatted: () => formatted(formatChallenge(text)),
  }
}

/** Reads a class dictionary. `included`: the text of an included file. */
export function openDictionary(text: string, included: (name: string) => string | null): OpenFile {
  const known = new Map<string | null, string | null>([[null, text]])
  const read: ReadFile = (file) => {
    const found = known.get(file)
    if (found !== undefined || file === null) return found ?? null
    const inner = included(file)
    known.set(file, inner)
    return inner
  }
  const { dictionary, problems } = readDictionary(text, { resolve: read })
  const { errors, warnings } = dictionary === null ? { errors: problems, warnings: [] } : judgeDictionary(dictionary)
  return {
    problems: errors,
    doubts: warnings,
    knowledge: null,
    read,
    things: dictionaryThings,
    hover: (offset) => dictionaryHoverAt(read, offset),
    completions: (offset) => dictionaryCompletions(text, text.slice(0, offset)),
    formatted: () => formatted(formatDictionary(text)),
  }
}
