/**
 * The key under which this browser keeps something of the class of the page. The desktop app shows several classes at one origin, and names each in the
 * address of its page (`addressOf` there); servers have an origin each.
 */
export function ofClass(key: string): string {
  // Tests of games run it without a page.
  const { location } = globalThis as { readonly location?: { readonly search: string } }
  const name = new URLSearchParams(location?.search).get('class')
  return name === null ? key : `${name}.${key}`
}
