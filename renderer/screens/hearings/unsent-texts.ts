import { SvelteMap } from 'svelte/reactivity'
import type { WantedAct } from '../../../main/contract/cases/case-record.ts'
import { ofClass } from '../../class-storage.ts'

// Texts that were typed in a case and not sent. They survive the end of their stage, other screens and a reload of the page.

/** A text in the field of a form. */
export interface UnsentText {
  /** The step of the form. */
  readonly step: WantedAct['do'] | 'filed'
  /** The name of the field, unique in the case. */
  readonly field: string
  /** The label of the field. */
  readonly label: string
  readonly text: string
}

/** The texts of one person in one case, or in the one that they are about to file. */
export interface CaseTexts {
  /** ''; nothing was typed. */
  of(field: string): string
  /** An empty text is dropped. */
  keep(text: UnsentText): void
  drop(field: string): void
  all(): readonly UnsentText[]
}

const prefix = (): string => ofClass('tartaglia.hearing-text.')

/** By key; a text that the storage does not take is lost by a reload alone. */
const texts = new SvelteMap<string, UnsentText>()
loadTexts()

/** Takes the texts from the storage, as at the beginning of a page. */
export function loadTexts(): void {
  texts.clear()
  for (const [key, text] of storedTexts()) texts.set(key, text)
}

function storedTexts(): readonly (readonly [string, UnsentText])[] {
  try {
    return Object.keys(sessionStorage)
      .filter((key) => key.startsWith(prefix()))
      .flatMap((key) => {
        const text = textIn(sessionStorage.getItem(key) ?? '')
        return text === null ? [] : [[key, text] as const]
      })
  } catch {
    return []
  }
}

function textIn(stored: string): UnsentText | null {
  try {
    const value: unknown = JSON.parse(stored)
    // Only this module writes there.
    return typeof value === 'object' && value !== null && 'field' in value ? (value as UnsentText) : null
  } catch {
    return null
  }
}

/** `hearing`: a case, or `new`. `person`: their pseudonym in the case, or their id, as others may use the same browser after them. */
export function textsOfCase(hearing: string, person: string | null): CaseTexts {
  const begin = `${prefix()}${hearing}.${person}.`
  const drop = (field: string): void => {
    texts.delete(begin + field)
    try {
      sessionStorage.removeItem(begin + field)
    } catch {
      // Nothing is stored there.
    }
  }
  return {
    of: (field) => texts.get(begin + field)?.text ?? '',
    keep(text) {
      if (text.text === '') {
        drop(text.field)
        return
      }
      texts.set(begin + text.field, text)
      try {
        sessionStorage.setItem(begin + text.field, JSON.stringify(text))
      } catch {
        // It stays in memory.
      }
    },
    drop,
    all: () => [...texts].flatMap(([key, text]) => (key.startsWith(begin) ? text : [])),
  }
}

/** The texts whose forms are not there any more: their stage is over, or the question has a reply. `due`: the question to reply to. */
export function withoutForm(
  all: readonly UnsentText[],
  steps: readonly UnsentText['step'][],
  due: number | null,
): readonly UnsentText[] {
  return all.filter(
    ({ step, field }) => !steps.includes(step) || (field.startsWith('reply ') && field !== replyField(due ?? 0)),
  )
}

/** The field of the reply to a question: a text typed for one is never sent to another. */
export const replyField = (question: number): string => `reply ${question}`
