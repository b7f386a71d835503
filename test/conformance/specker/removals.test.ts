import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MatchFacts } from '../../../main/contract/histories/history.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { RemovalRecord } from '../../../main/contract/game/outcome.ts'
import { showHistory } from '../../../main/services/histories/verify-histories.ts'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { createExporter } from '../../../main/histories/export.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { readExportedMatch, stepsOf } from '../../../main/histories/match-file.ts'
import { openSegments } from '../../../main/histories/segments/writer.ts'
import { createRecorder } from '../../../main/histories/recorder.ts'
import { replay } from '../../../main/histories/replay.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { Action } from '../../../main/referees/specker/messages.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { saying } from '../../refusal.ts'

const folder = temporaryFolder('removals')

const game = eraseGame(specker)
const read = game.config({
  challenge: readFileSync(new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8'),
  variant: 'belief',
  offersMin: 0,
  maxTurns: 3,
})
if (!read.ok) throw new Error(read.error)
const config = read.value
const description = { title: 'Removals' }
const seats = [0, 1, 2].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
const [seed, nonce] = [sha256('seed'), sha256('nonce')]

const offer = (relation: number, price: number): Action => {
  return { type: 'offer', predicate: { relations: [relation] }, price }
}
/** Seat 1 lowers by too little, in the second of its actions; seat 2 falls; seat 0 is left. */
const inputs: readonly Json[] = [
  { type: 'turn', seat: 0, actions: [offer(22, 500_000_000)] },
  { type: 'turn', seat: 1, actions: [offer(254, 900_000_000), { type: 'reoffer', challenge: 0, price: 499_999_999 }] },
  { type: 'fault', seat: 2, fault: { kind: 'crash', text: 'The agent stopped.' } },
]
const removals = [
  {
    seat: 1,
    round: 1,
    rule: 'price-lowering',
    action: 1,
    values: { challenge: 0, price: 499_999_999, old: 500_000_000, mindec: 10_000_000 },
    text: 'actions.1 (reoffer): challenge 0 costs 0.5 and must be lowered by at least 0.01 or to 0, not to 0.499999999.',
  },
  { seat: 2, round: 1, rule: 'crash', action: null, values: { fault: 'crash' }, text: 'The agent stopped.' },
]

/** The match as an exported file; `typed`: with what later versions write of a removal. */
async function exported(name: string, typed: boolean): Promise<string> {
  const facts: MatchFacts = {
    contest: name,
    match: 0,
    attempt: 1,
    game: 'specker',
    version: game.version,
    config: hashOf(config),
    description: hashOf(description),
    seats: seats.map((seat) => ({ ...seat, name: `agent-${seat.id}`, agent: sha256(`agent ${seat.id}`) })),
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
    isolation: 'none',
    clock: 'frozen',
    host: { node: 'v26.10.0', platform: 'linux', cores: 2 },
  }
  const recorder = createRecorder({ run: 1, facts, seed, nonce })
  const fold = game.fold(config, seats, seed)
  for (const input of inputs) {
    expect(fold.apply(input)).toBeNull()
    recorder.input(1, 'public', input)
  }
  expect(fold.removals()).toEqual(removals)
  recorder.finish(2, fold.outcome()!, fold.save(), typed ? fold.removals() : [])
  const key = signingKey(generateKey())!
  const opened = await openSegments({ dir: join(folder, name), contest: name, key, blobs: [description, config] })
  if (!opened.ok) throw new Error(opened.damage.message)
  opened.writer.append(recorder.lines())
  await opened.writer.commit()
  await opened.writer.close()
  const scan = await scanContest({ dir: join(folder, name), contest: name, key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  const file = join(folder, `${name}.jsonl`)
  await (await createExporter(scan, key)).write(0, 'none', file)
  return file
}

/** The findings if the file claims the removals `claimed`. */
function replayed(file: string, claimed: { readonly removals?: readonly RemovalRecord[] }) {
  const source = bytesSource(readFileSync(file))
  const found = readExportedMatch(source, () => undefined)
  if (!found.ok) throw new Error(found.message)
  const { header, outcome } = found.file
  const steps = [...stepsOf(source, () => undefined)].map((step) =>
    step.type === 'outcome' ? { ...step, ...claimed } : step,
  )
  return replay(game, { config: found.file.config, seats: header.seats, seed: outcome.seed }, steps)
}

test('decision 12: an exported file has each violation with rule, action, values and a sentence, and shows it', async () => {
  const file = await exported('typed', true)
  const last = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { b: { k: string } }).b)
    .find(({ k }) => k === 'outcome')
  expect(last).toMatchObject({ removals })
  expect(verifyMatch(readFileSync(file), { games: () => game })).toMatchObject({ ok: true, match: { replayed: true } })

  const shown = [...(await showHistory(file)).lines].map((line) => line.trim())
  const over = shown.findIndex((line) => line.includes('over: '))
  expect(shown.slice(over + 1, over + 3)).toEqual([
    `seat 1 was removed in round 1, price-lowering, action 1: ${removals[0]!.text} ` +
      '{"challenge":0,"mindec":10000000,"old":500000000,"price":499999999}',
    'seat 2 was removed in round 1, crash: The agent stopped. {"fault":"crash"}',
  ])
})

test('what a file says of a removal is held against the rules', async () => {
  const file = await exported('held', true)
  expect(replayed(file, {})).toBeNull()
  const elsewhere = removals.map((removal) => ({ ...removal, action: 0 }))
  for (const claimed of [elsewhere, removals.slice(1), [...removals].reverse()]) {
    expect(replayed(file, { removals: claimed })).toMatchObject({
      message: saying('replay', 'removes', 'reasons'),
    })
  }
})

test('a history from before has the sentences alone, verifies, and shows them', async () => {
  const file = await exported('older', false)
  expect(readFileSync(file, 'utf8')).not.toContain('"removals"')
  expect(verifyMatch(readFileSync(file), { games: () => game })).toMatchObject({ ok: true, match: { replayed: true } })
  expect([...(await showHistory(file)).lines].map((line) => line.trim())).toEqual(
    expect.arrayContaining([`seat 1 was removed: ${removals[0]!.text}`, 'seat 2 was removed: The agent stopped.']),
  )
})
