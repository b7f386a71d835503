import type { ContestSummary } from '../contract/procedures/contest-answers.ts'

/** The words of the question about contests that would pause. */
export interface Pausing {
  readonly resumes: string
  readonly button: string
}
export const quits: Pausing = { resumes: 'It resumes at the next start.', button: 'Pause and Quit' }
export const opensOther: Pausing = { resumes: 'It resumes when this class is opened again.', button: 'Pause and Open' }

/** The question before running contests are left; null: nothing would be lost. A match that a person plays by hand is given up: it cannot resume. */
export function questionOf(
  running: readonly Pick<ContestSummary, 'title' | 'person'>[],
  { resumes, button }: Pausing,
): { readonly message: string; readonly detail: string; readonly button: string } | null {
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
