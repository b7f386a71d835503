/** A page with a short message. For our own texts only: nothing is escaped. */
export function noticePage(title: string, text: string): string {
  return page(title, '', `<h1>${title}</h1>\n<p>${text}</p>`)
}

/** A page that redirects to `/`, as a navigation that starts on our own site. */
export function onwardPage(): string {
  return page('Tartaglia', '<meta http-equiv="refresh" content="0;url=/">\n', '<p><a href="/">Open Tartaglia</a></p>')
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
${head}${body}
</html>
`
}
