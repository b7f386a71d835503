import { onDestroy } from 'svelte'
import type { Survey } from '../../../grammars/challenges/index.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { merged, type Knowledge } from '../../../grammars/language-services/knowledge.ts'
import { createChecker } from '../../challenge-worker/worker-client.ts'
import { count } from '../../words.ts'

/** The results of checking a challenge's text while it is being written. */
export interface SourceCheck {
  /** The result for the text that was checked last. */
  readonly problems: readonly Problem[]
  /** The number of errors in the current text; null: not checked yet. */
  readonly errors: number | null
  /** The result in words. */
  readonly text: string
  /** Why it cannot be checked at all; '' if it can. */
  readonly broken: string
  /** True once any text has been checked. */
  readonly begun: boolean
  /** The survey of the last text that could be parsed. */
  readonly survey: Survey | null
  /** True if its classes are those of the text checked last. */
  readonly currentClasses: boolean
  knowledge(): Knowledge | null
}

/** Idle time after a change before the text is checked again, in ms. */
const STILL = 250

/** Checks the text in a worker whenever typing pauses. null: no check. Call only during component initialization. */
export function createVerdict(text: () => string | null, asked: () => boolean): SourceCheck {
  let problems = $state.raw<readonly Problem[]>([])
  let survey = $state.raw<Survey | null>(null)
  /** The text that problems and survey refer to. */
  let checked = $state.raw<string | null>(null)
  let broken = $state('')
  let currentClasses = $state(false)
  const errors = $derived(checked !== null && checked === text() ? problems.length : null)

  const checker = createChecker(
    (found, source) => {
      problems = found.problems
      currentClasses = found.survey.classes !== null
      survey = merged(survey, found.survey)
      checked = source
      broken = ''
    },
    (message) => (broken = message),
  )
  onDestroy(() => checker.end())
  $effect(() => {
    const source = text()
    if (!asked() || source === null || checked === source) return
    const timer = setTimeout(() => checker.check(source), checked === null ? 0 : STILL)
    return () => clearTimeout(timer)
  })

  const words = $derived.by(() => {
    if (broken !== '') return `It could not be checked: ${broken}`
    if (errors === null) return 'Checking…'
    return errors === 0 ? 'No errors' : count(errors, 'error')
  })
  return {
    get problems() {
      return problems
    },
    get errors() {
      return errors
    },
    get text() {
      return words
    },
    get broken() {
      return broken
    },
    get begun() {
      return checked !== null
    },
    get survey() {
      return survey
    },
    get currentClasses() {
      return currentClasses
    },
    knowledge: () => (survey === null || checked === null ? null : { survey, source: checked }),
  }
}
