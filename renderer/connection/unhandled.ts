import { reportFailure } from './resource.svelte.ts'

/** Shows the failures that no screen has caught, the last resort against a button that does nothing. */
export function followUnhandled(target: Pick<Window, 'addEventListener'>): void {
  target.addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => reportFailure(reason))
}
