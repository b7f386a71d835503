/** The page of the documentation's site that a page of the manual is, by the manual's id; '': the contents. */
export const siteAddress = (page = ''): string =>
  `./help/${page === '' ? 'index' : page.replace(/(^|\/)README$/, '$1index')}.html`
