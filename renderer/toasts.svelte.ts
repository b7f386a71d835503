export interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
}

let next = 1
const shown = $state<Toast[]>([])

/** What `toasts.svelte` shows, oldest first. */
export const toasts: { readonly shown: readonly Toast[] } = { shown }

/** Tells something that went well. */
export function showNews(text: string): void {
  show('good', text)
}

/** Tells what failed, in the words of the failure. */
export function showTrouble(failure: unknown): void {
  show('bad', failure instanceof Error ? failure.message : String(failure))
}

export function dismissToast(id: number): void {
  const at = shown.findIndex((toast) => toast.id === id)
  if (at >= 0) shown.splice(at, 1)
}

function show(tone: Toast['tone'], text: string): void {
  // The same sentence twice says no more than once.
  const same = shown.find((toast) => toast.text === text)
  if (same !== undefined) dismissToast(same.id)
  shown.push({ id: next++, tone, text })
  if (shown.length > 4) shown.shift()
}
