/**
 * Attributes for a scrollable element without focusable content: makes the element itself focusable, so that it can be
 * scrolled by keyboard.
 */
export function scrolls(label: string) {
  return { role: 'group', tabindex: 0, 'aria-label': label } as const
}
