import { historyPathOf } from '../../contract/evidence/dossier-paths.ts'
import { hash } from 'node:crypto'
import type { DossierFile, DossierItem } from '../../contract/evidence/dossiers.ts'
import { fingerprint, keyText, type PublicKey } from '../../histories/keys.ts'
import { againWords, type AskedAgain } from '../../contract/evidence/rerun-words.ts'
import { matchOfItem, VERIFIER } from './dossier-folder.ts'

// The page of a downloaded dossier. It has no scripts and loads nothing, and all texts in it are those of strangers.

const style = `
:root { color-scheme: light dark; --paper: #fbf8f1; --surface: #fff; --ink: #1e1b16; --quiet: #6b6355; --rule: #e4dccb; --accent: #9e2b25 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161410; --surface: #1f1c17; --ink: #efe9dd; --quiet: #a79e8d; --rule: #36312a; --accent: #e0766c }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 16px 64px; max-width: 76ch; background: var(--paper); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif; overflow-wrap: anywhere }
h1, h2 { font-family: 'Source Serif 4', Georgia, serif; line-height: 1.2 }
h1 { margin: 0 0 8px }
h2 { margin: 40px 0 8px; font-size: 1.25rem }
ol { padding: 0; list-style: none; counter-reset: item }
ol > li { margin: 16px 0; padding: 16px; border: 1px solid var(--rule); border-radius: 8px; background: var(--surface); counter-increment: item; break-inside: avoid }
ol > li::before { content: counter(item) '. '; color: var(--quiet) }
p { margin: 8px 0 }
.kind, .quiet { color: var(--quiet) }
.kind { font-weight: 600 }
.sentence { font-size: 1.125rem }
.note { padding-left: 12px; border-left: 3px solid var(--accent); white-space: pre-wrap }
pre, code { font: 13px/1.45 'JetBrains Mono', ui-monospace, monospace }
pre { margin: 8px 0; padding: 8px; border: 1px solid var(--rule); white-space: pre-wrap }
a { color: inherit }
@media print { body { padding: 0; max-width: none; background: #fff; color: #000 } ol > li { border-color: #999; background: none } details:not([open]) { display: none } }
`

/** The page `index.html` of a dossier, signed with this key. */
export function dossierPage({ title, by, written, items }: DossierFile, key: PublicKey): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`
  const paths = new Set(
    items.flatMap((item) => {
      const match = matchOfItem(item)
      return match === null ? [] : historyPathOf(match.contest, match.match)
    }),
  )
  const histories = [...paths].sort().map((path) => `<li><code>${shown(path)}</code></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${shown(title)}</h1>
<p class="quiet">A dossier of ${shown(by)}, written on ${time(written)}.</p>
<p>The sentences are those of the program of the class. The notes are the words of the owner, and nothing proves them.</p>
<ol>
${items.map((item) => `<li>${entry(item)}</li>`).join('\n')}
</ol>
<h2>How to check it</h2>
<p>With Python, in this folder: <code>python3 ${VERIFIER} --key KEY</code>. With Tartaglia: <code>tartaglia dossier verify FOLDER --key KEY</code>,
which plays the matches again, too. KEY is the key of the class, as you got it from the class itself.</p>
<p>This folder was signed with the key <code>${keyText(key)}</code>, whose fingerprint is <code>${fingerprint(key)}</code>.
By itself that proves nothing: compare it with the key that the class has given you.</p>
<h2>Histories in this folder</h2>
<ul>
${histories.join('\n')}
</ul>
</body>
</html>
`
}

function entry(item: DossierItem): string {
  switch (item.kind) {
    case 'event': {
      const { reference, facts, note } = item
      const { contest, match, line, hash: link, sentence, move } = reference
      const where = `Match ${match} of ${shown(contest)}, ${facts.kind === 'outcome' ? 'the end' : `event ${move}`}${clock(facts.at)}`
      const record = facts.record === '' ? '' : `<pre>${shown(facts.record)}</pre>`
      return [
        `<span class="kind">Event</span><p class="sentence">${shown(sentence)}</p>`,
        `<p class="quiet">${where}. Players: ${facts.players.map(shown).join(', ')}.</p>`,
        noteText(note),
        `<details><summary>As it is recorded</summary>${record}<p class="quiet">Line ${line} of <code>${shown(historyPathOf(contest, match))}</code>, hash <code>${link}</code></p></details>`,
      ].join('')
    }
    case 'asked-again':
    case 'played-again': {
      const { contest, match, sentence, move } = item.reference
      const isDecision = item.kind === 'asked-again'
      const place = isDecision ? `event ${move}` : 'the end'
      return [
        `<span class="kind">${isDecision ? 'Asked' : 'Played'} again by the program of the class</span>`,
        `<p>Recorded in match ${match} of ${shown(contest)}, ${place}: ${shown(sentence)}</p>`,
        ...againWords(item).map((each) => `<p>${shown(each)}</p>`),
        `<p class="quiet">Version <code>${item.agent}</code>. This is a statement of the program, which no history proves.</p>`,
        isDecision ? `<details><summary>Messages and answers</summary>${messages(item)}</details>` : '',
      ].join('')
    }
    case 'note':
      return `<span class="kind">Note</span>${noteText(item.text)}`
    case 'rule':
      return `<span class="kind">Rule (${shown(item.book)})</span><pre>${shown(item.text)}</pre><p class="quiet">SHA-256 <code>${item.sha256}</code></p>`
    case 'verdict': {
      const words = { genuine: 'genuine', 'signer-unknown': 'intact, signer unknown', 'not-genuine': 'not genuine' }
      const by = item.fingerprint === null ? '' : `, signed with the key <code>${item.fingerprint}</code>`
      return `<span class="kind">Verified</span><p>Match ${item.match} of ${shown(item.contest)} was ${words[item.verdict]} on ${time(item.added)}${by}.</p>${sentences(item.says)}`
    }
  }
}

/** The messages that asked for a decision, with the answers. */
function messages({ asked }: AskedAgain): string {
  const quoted = (heading: string, text: string): string => `<p class="quiet">${heading}</p><pre>${shown(text)}</pre>`
  const all = asked.flatMap(({ message, recorded, given }) => [
    quoted('It was asked', message),
    quoted('Recorded', recorded ?? 'no answer'),
    quoted('Answered now', given ?? 'no answer'),
  ])
  return all.join('')
}

const noteText = (text: string): string => (text.trim() === '' ? '' : `<p class="note">${shown(text)}</p>`)
const sentences = (all: readonly string[]): string => all.map((each) => `<p class="quiet">${shown(each)}</p>`).join('')
const clock = (at: number | null): string => (at === null ? '' : `, at ${(at / 1000).toFixed(3)} s`)
const time = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text of strangers as HTML: nothing in it is a tag, and characters that nobody sees or that turn the text around are shown by their codes. */
function shown(text: string): string {
  const visible = text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`,
  )
  return visible.replace(/[&<>"']/g, (c) => signs[c]!)
}
