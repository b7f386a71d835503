import type { ContestSummary } from '../contract/procedures/contest-answers.ts'
import type { OngoingTask } from '../contract/procedures/classes.ts'

/** The words of the question about contests that would pause, and tasks that would be broken off. */
export interface Pausing {
  readonly resumes: string
  readonly button: string
  /** The button if nothing pauses. */
  readonly anyway: string
}
export const quits: Pausing = {
  resumes: 'It resumes at the next start.',
  button: 'Pause and Quit',
  anyway: 'Quit Anyway',
}
export const opensOther: Pausing = {
  resumes: 'It resumes when this class is opened again.',
  button: 'Pause and Open',
  anyway: 'Open Anyway',
}

/** A question before a class is left. */
export interface Question {
  readonly message: string
  readonly detail: string
  readonly button: string
}

/**
 * The question before running contests and tasks are left; null: nothing would be lost. A match that a person plays by hand is given up: it cannot
 * resume.
 */
export function questionOf(
  running: readonly Pick<ContestSummary, 'title' | 'person'>[],
  tasks: readonly OngoingTask[],
  words: Pausing,
): Question | null {
  const ofTasks = questionOfTasks([...new Set(tasks)], words)
  const ofContests = questionOfContests(running, words)
  if (ofContests === null || ofTasks === null) return ofContests ?? ofTasks
  const { message, detail, button } = ofContests
  return { message, detail: `${detail} ${ofTasks.message} ${ofTasks.detail}`, button }
}

/** Sentences about tasks, which are read after one another. */
const taskWords: Readonly<Record<OngoingTask, { readonly goesOn: string; readonly then: string }>> = {
  export: {
    goesOn: 'The class is being exported.',
    then: 'The export is stopped, and nothing of its file is kept.',
  },
  backup: {
    goesOn: 'A backup is being made.',
    then: 'The class is closed when the backup is complete.',
  },
  import: {
    goesOn: 'A class is being imported.',
    then: 'The import is broken off, and can be started again.',
  },
  'new-term': {
    goesOn: 'A new term is being made.',
    then: 'Nothing of the new class is kept.',
  },
  'sample-term': {
    goesOn: 'The sample term is being made.',
    then: 'Nothing of it is kept.',
  },
}

function questionOfTasks(tasks: readonly OngoingTask[], { anyway }: Pausing): Question | null {
  if (tasks.length === 0) return null
  const words = tasks.map((task) => taskWords[task])
  return {
    message: words.map(({ goesOn }) => goesOn).join(' '),
    detail: words.map(({ then }) => then).join(' '),
    button: anyway,
  }
}

function questionOfContests(
  running: readonly Pick<ContestSummary, 'title' | 'person'>[],
  { resumes, button }: Pausing,
): Question | null {
  const [first] = running
  if (first === undefined) return null
  const message = running.length === 1 ? `“${first.title}” is running.` : `${running.length} contests are running.`
  const pausing = running.filter(({ person }) => !person)
  const kept = pausing.length > 0 ? `Matches already played are kept. ${resumes}` : ''
  if (pausing.length === running.length) return { message, detail: kept, button }
  const given = 'A match that is played by hand is given up.'
  return {
    message,
    detail: kept === '' ? given : `${kept} ${given}`,
    button: kept === '' ? button.replace('Pause', 'Give Up') : button,
  }
}
