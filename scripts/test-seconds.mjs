// The time of a run: a table of seconds per test file, and the printed summary.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const dearest = 10
/** Layers that take less are printed as one. */
const worthALine = 5

/** unit, property and e2e are a layer each; of the others, each folder: hostile/contests. */
function layerOf(file) {
  const [, kind, ...rest] = file.split('/')
  return ['conformance', 'hostile'].includes(kind) && rest.length > 1 ? `${kind}/${rest[0]}` : kind
}

/**
 * files: `file`, `seconds` of its tests and hooks, `loading` (seconds of starting its process and importing it), `cpu` (seconds of it and
 * of the programs that it started, 0 where they are not known) and perhaps `suite`, a name for a run of its own. Writes them to `path`
 * as tab-separated values, the dearest first; gives the lines to print.
 */
export function tellSeconds(files, path) {
  const sorted = files
    .map(({ file, seconds, loading, cpu, suite }) => ({ file, seconds, loading, cpu, layer: suite ?? layerOf(file) }))
    .sort((one, other) => whole(other) - whole(one))
  const rows = sorted.map((each) => [whole(each), each.loading, each.cpu, each.layer, each.file])
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, [['seconds', 'of it loading', 'CPU', 'layer', 'file'], ...rows].map(inColumns).join(''))
  return [...linesOfLayers(sorted), 'The dearest files:', ...sorted.slice(0, dearest).map(lineOf)]
}

const whole = ({ seconds, loading }) => seconds + loading
const inColumns = (row) => `${row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)).join('\t')}\n`
const lineOf = (each) => `${whole(each).toFixed(1).padStart(8)}  ${each.file}`

function linesOfLayers(files) {
  const layers = new Map()
  for (const each of files) {
    const of = layers.get(each.layer) ?? { seconds: 0, loading: 0, cpu: 0, files: 0 }
    layers.set(each.layer, of)
    of.seconds += whole(each)
    of.loading += each.loading
    of.cpu += each.cpu
    of.files += 1
  }
  const all = [...layers].sort(([, one], [, other]) => other.seconds - one.seconds)
  const rest = all.filter(([, { seconds }]) => seconds < worthALine)
  const shown = rest.length < 2 ? all : [...all.filter((each) => !rest.includes(each)), ['the rest', sumOf(rest)]]
  return ['Seconds per layer (loading; CPU; files):', ...[...shown, ['all', sumOf(all)]].map(lineOfLayer)]
}

const sumOf = (layers) =>
  layers.reduce(
    (sum, [, { seconds, loading, cpu, files }]) => ({
      seconds: sum.seconds + seconds,
      loading: sum.loading + loading,
      cpu: sum.cpu + cpu,
      files: sum.files + files,
    }),
    { seconds: 0, loading: 0, cpu: 0, files: 0 },
  )

const lineOfLayer = ([name, { seconds, loading, cpu, files }]) =>
  `${seconds.toFixed(1).padStart(8)}  ${name} (${loading.toFixed(1)}; ${cpu.toFixed(1)}; ${files})`
