export interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
}

let next = 1
const shown = $state<Toast[]>([])

/** The messages that `toasts.svelte` shows, oldest first. */
export const toasts: { readonly shown: readonly Toast[] } = { shown }

/** Shows a success message. */
export function showNews(text: string): void {
  show('good', text)
}

/** Shows an error message. */
export function showFailure(failure: unknown): void {
  show('bad', failure instanceof Error ? failure.message : String(failure))
}

export function dismissToast(id: number): void {
  const at = shown.findIndex((toast) => toast.id === id)
  if (at >= 0) shown.splice(at, 1)
}

function show(tone: Toast['tone'], text: string): void {
  // Does not show the same message twice.
  const same = shown.find((toast) => toast.text === text)
  if (same !== undefined) dismissToast(same.id)
  shown.push({ id: next++, tone, text })
  if (shown.length > 4) shown.shift()
}
