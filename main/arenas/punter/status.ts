import { escaped } from '../status-page.ts'

/** A table on the status page. */
export interface TableStatus {
  /** From 1. */
  readonly number: number
  readonly address: string
  readonly isPrivate: boolean
  /** By seat; null: free. */
  readonly names: readonly (string | null)[]
  /** The game that is played; null: the table waits for punters. */
  readonly game: { readonly moves: number; readonly most: number; readonly scores: readonly number[] } | null
}

/** A game that is over; lists by seat. */
export interface FinishedStatus {
  readonly table: number
  readonly names: readonly string[]
  readonly scores: readonly number[]
}

export interface LobbyStatus {
  /** The match that is played, such as the map and its extensions. */
  readonly about: string
  readonly tables: readonly TableStatus[]
  /** The newest first. */
  readonly finished: readonly FinishedStatus[]
}

/** The status page of a lobby, as the body of an HTML page. Names at private tables are not told. */
export function statusHtml({ about, tables, finished }: LobbyStatus): string {
  const results =
    finished.length === 0
      ? '<p>No game has been finished yet.</p>'
      : table('Finished games', ['Table', 'Punters and scores'], finished.map(finishedRow))
  return [
    '<h1>Lambda Punter</h1>',
    `<p>${escaped(about)}</p>`,
    '<h2>Tables</h2>',
    table('Tables', ['Table', 'Address', 'State', 'Punters'], tables.map(tableRow)),
    '<h2>Results</h2>',
    results,
    '<p class="quiet">This page reloads every few seconds.</p>',
  ].join('\n')
}

export const statusStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; clip-path: inset(50%); }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid #8886; text-align: start; vertical-align: top; }
td { overflow-wrap: anywhere; }
.quiet { opacity: 0.7; font-size: 0.875rem; }
`

function tableRow({ number, address, isPrivate, names, game }: TableStatus): readonly string[] {
  const taken = names.filter((name) => name !== null).length
  const state =
    game === null ? `waits: ${taken} of ${names.length} seats taken` : `plays: move ${game.moves} of ${game.most}`
  const punters = isPrivate ? 'a private game' : puntersOf(names, game?.scores)
  return [String(number), `<code>${escaped(address)}</code>`, state, punters]
}

const finishedRow = ({ table: number, names, scores }: FinishedStatus): readonly string[] => [
  String(number),
  puntersOf(names, scores),
]

function puntersOf(names: readonly (string | null)[], scores: readonly number[] | undefined): string {
  return names
    .flatMap((name, seat) =>
      name === null ? [] : [`${shortName(name)}${scores === undefined ? '' : `: ${scores[seat]}`}`],
    )
    .join('<br>')
}

/** Characters of a name that are shown. */
const NAME = 80
const shortName = (name: string): string =>
  `<bdi>${escaped(name.length > NAME ? `${name.slice(0, NAME)}…` : name)}</bdi>`

function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table>\n<caption>${caption}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`
}
