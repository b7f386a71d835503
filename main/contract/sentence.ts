/** A text as a sentence: a full stop is added unless it ends with a mark, as the words of tools and other programs may. */
export function sentence(text: string): string {
  const said = text.trimEnd()
  return /[.!?…]$/.test(said) ? said : `${said}.`
}
