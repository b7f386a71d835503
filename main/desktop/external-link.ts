/**
 * The address of a page that the system's browser may be asked to open, as the browser will read it; null for anything
 * else. Histories and agents can put any text on the screen, so neither programs' schemes nor addresses that hide where
 * they lead (a user name before the host) pass.
 */
export function externalLink(text: string): string | null {
  if (text.length > 2_000 || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}
