// The page of a recorded match: the window's own match view in one HTML file, whose policy permits nothing but its own script.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** Bytes of the page without a match; a page with one has at most 3 MB. */
const BYTES_MAX = 1_600_000

/** The page, and the output of vite that is in it. Throws an Error if it does not compile, or has outgrown its limit. */
export async function replayPage() {
  const { build: vite } = await import('vite')
  const made = await vite({
    configFile: join(root, 'vite.replay.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  })
  const output = [made].flat().flatMap((each) => each.output)
  const scripts = output.filter(({ type }) => type === 'chunk')
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'))
  if (scripts.length !== 1 || styles.length !== 1 || output.length !== 2)
    throw new Error(`The page of a match is to be one script and one style: ${output.map((each) => each.fileName)}`)
  const html = pageOf(scriptText(scripts[0].code), styleText(String(styles[0].source)))
  const bytes = Buffer.byteLength(html)
  if (bytes > BYTES_MAX)
    throw new Error(`The page of a match has ${bytes} bytes without a match; the limit is ${BYTES_MAX}.`)
  return { html, output }
}

/** The page. Nothing may come between the tags of its script or style and their texts: the policy names their hashes. */
function pageOf(script, style) {
  const policy = [
    ...["default-src 'none'", `script-src '${hashOf(script)}'`, `style-src '${hashOf(style)}'`],
    ...['font-src data:', 'img-src data:', "base-uri 'none'", "form-action 'none'"],
  ].join('; ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>A match · Tartaglia</title>
    <link rel="icon" type="image/svg+xml" href="${iconAddress()}" />
    <style>${style}</style>
  </head>
  <body>
    <noscript>This page shows a match. Its own script does that, which this browser does not run.</noscript>
    <div id="app"></div>
    <script type="text/plain" id="recorded-match"></script>
    <script>${script}</script>
  </body>
</html>
`
}

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`

const iconAddress = () =>
  `data:image/svg+xml;base64,${readFileSync(join(root, 'renderer', 'icon.svg')).toString('base64')}`

/** The same script without what would end its element, or begin another. */
function scriptText(code) {
  const text = code.trim().replaceAll(/<(?=\/script|!--|script)/gi, '\\x3c')
  return `${text}\n`
}

function styleText(css) {
  if (/<\/style/i.test(css)) throw new Error('A style of the page of a match would end its element.')
  return `${css.trim()}\n`
}
