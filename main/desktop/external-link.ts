/**
 * The normalized address of a page that may be opened in the system's browser; null for anything else. Histories and
 * agents can put any text on the screen, so schemes of programs and addresses that hide their destination (a user name
 * before the host) are refused.
 */
export function externalLink(text: string): string | null {
  if (text.length > 2_000 || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}
