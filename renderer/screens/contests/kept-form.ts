import type { Form } from './form.ts'

let kept: { readonly challenge: string | undefined; readonly form: Form } | null = null

/** A form that was left unfinished, for the same challenge; it is kept as long as the window is open. */
export function keptForm(challenge: string | undefined): Form | null {
  return kept !== null && kept.challenge === challenge ? kept.form : null
}

/** Keeps a form that is being left; null: it was handed in. */
export function keepForm(challenge: string | undefined, form: Form | null): void {
  kept = form === null ? null : { challenge, form }
}
