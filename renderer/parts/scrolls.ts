/**
 * For an element that scrolls and may hold nothing that is focused: the keyboard reaches the element itself, whose keys then
 * scroll it.
 */
export function scrolls(label: string) {
  return { role: 'group', tabindex: 0, 'aria-label': label } as const
}
