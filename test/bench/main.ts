import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { administrator } from './administrator.ts'
import { askAndAnswer } from './ask-and-answer.ts'
import { bareRates, ratesText } from './bare-rates.ts'
import { classroomBench } from './classroom.ts'
import { cluster } from './cluster.ts'
import { contestStatistics } from './contest-statistics.ts'
import { cops } from './cops.ts'
import { cows } from './cows.ts'
import { dictionaryText } from './dictionary-text.ts'
import { firstScreen } from './first-screen.ts'
import { haggle, haggleAgents } from './haggle.ts'
import { histories } from './histories.ts'
import { installed } from './installed.ts'
import { isolationBench } from './isolation.ts'
import { longLists } from './long-lists.ts'
import { maxCspQuality } from './max-csp-quality.ts'
import { freshRealms } from './fresh-realms.ts'
import { millionMatches, nullContest } from './null-contest.ts'
import { mine } from './mine.ts'
import { opponents } from './opponents.ts'
import { players } from './players.ts'
import { punter } from './punter.ts'
import { punterOffline } from './punter-programs.ts'
import { readings } from './readings.ts'
import type { Bench, Row } from './row.ts'
import { sampleContest } from './sample-contest.ts'
import { samples } from './samples.ts'
import { sampleTerm } from './sample-term.ts'
import { soakBench } from './soak.ts'
import { solver } from './solver.ts'
import { strength } from './strength.ts'
import { tableOf } from './table.ts'
import { thirtyPlayers } from './thirty-players.ts'
import { values } from './values.ts'
import { windowHistory } from './window-history.ts'
import { windowLive } from './window-live.ts'
import { windowPage } from './window-page.ts'
import { windowRivers } from './window-rivers.ts'
import { windowStart } from './window-start.ts'

const benches: readonly Bench[] = [
  dictionaryText,
  values,
  maxCspQuality,
  samples,
  solver,
  administrator,
  contestStatistics,
  nullContest,
  millionMatches,
  sampleTerm,
  classroomBench,
  firstScreen,
  longLists,
  cluster,
  thirtyPlayers,
  askAndAnswer,
  freshRealms,
  players,
  haggle,
  haggleAgents,
  punter,
  punterOffline,
  cops,
  cows,
  isolationBench,
  installed,
  histories,
  readings,
  mine,
  sampleContest,
  windowPage,
  windowStart,
  windowLive,
  windowHistory,
  windowRivers,
  soakBench,
  strength,
  opponents,
]

const usage = `npm run bench -- [--json] [NAME...], names: ${benches.map(({ name }) => name).join(' ')}`

/** Measures the rows asked for, by default all but those that are measured by name only. Figures never fail: the exit code is 0 unless something went wrong. */
async function main(): Promise<number> {
  const asked = readArguments()
  if (typeof asked === 'string') {
    console.error(`${asked} ${usage}`)
    return 2
  }
  // Before everything else, so that nothing which a bench leaves behind slows it down.
  const rates = await bareRates()
  const rows: Row[] = []
  for (const { name, onlyByName = false, measure } of benches) {
    if (asked.names.length > 0 ? !asked.names.includes(name) : onlyByName) continue
    console.error(`Measuring: ${name} ...`)
    rows.push(...(await measure()))
  }
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
  }
  if (asked.json) console.log(JSON.stringify({ machine: { ...machine, rates }, rows }))
  else {
    const { node, platform, processor, cores } = machine
    const head = [`Node ${node}, ${platform}, ${cores} cores: ${processor}`, ratesText(rates)]
    console.log([...head, '', ...tableOf(rows)].join('\n'))
  }
  return 0
}

function readArguments(): { readonly json: boolean; readonly names: readonly string[] } | string {
  try {
    const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
    const unknown = positionals.find((name) => benches.every((bench) => bench.name !== name))
    if (unknown !== undefined) return `There is no bench "${unknown}".`
    return { json: values.json === true, names: positionals }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

process.exitCode = await main()
