import { expect, test } from 'vitest'
import type { Fault } from '../../../main/contract/faults.ts'
import type { HistoryBody } from '../../../main/contract/histories/history.ts'
import { type Recorder, type UnkeptBody, createUnkeptRecorder } from '../../../main/histories/recorder.ts'
import { recorderOf } from './toy.ts'

const alice = { seat: 0, body: 0 }
const bob = { seat: 1, body: 2 }
const fault: Fault = { kind: 'crash', text: 'It stopped: \ud800', tookMs: 4, stderr: 'Error: at secret.js:1' }

function record(recorder: Recorder): readonly HistoryBody[] {
  recorder.input(1.00049, 'public', { seat: 0, add: 1 })
  recorder.console(2, bob, 'half a pair \ud83d and an emoji 😀\n')
  recorder.input(2.5, [1], { note: 'hidden', add: 2, seat: 1 })
  recorder.checkpoint(() => ({ sum: 3 }))
  recorder.fault(3, bob, 7, fault)
  recorder.fault(4, alice, null, { kind: 'timeout', text: 'Too late.' })
  const first = recorder.lines()
  recorder.input(5, 'sealed', { seat: 0, add: 10 })
  recorder.finish(6, { places: [] }, { sum: 13 })
  const lines = [...first.split('\n'), ...recorder.lines().split('\n')].filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { readonly b: HistoryBody }).b)
}

test('what nobody keeps has the inputs, faults and output of a history, without what makes it one', () => {
  const [kept, unkept] = [recorderOf(1, 5), createUnkeptRecorder(5, 2)]
  const told = record(kept)
    .filter(({ k }) => k === 'input' || k === 'fault' || k === 'console')
    // Salts are of the chain.
    .map((body, n) => ({ ...body, salt: undefined, n }))
  expect(record(unkept)).toEqual(told)
  expect([unkept.inputs, unkept.printed]).toEqual([kept.inputs, kept.printed])
  expect([unkept.pending, unkept.lines()]).toEqual([0, ''])
})

test('whoever listens to such a match is told the same at once, and nothing is written', () => {
  const heard: UnkeptBody[] = []
  const listening = createUnkeptRecorder(5, 2, (body) => heard.push(body))
  expect(record(listening)).toEqual([])
  const written = createUnkeptRecorder(5, 2)
  expect(heard.map((body, n) => ({ ...body, n, r: 5 }))).toEqual(record(written))
  expect([listening.inputs, listening.printed]).toEqual([written.inputs, written.printed])
  listening.console(7, alice, 'now')
  expect(heard.at(-1)).toMatchObject({ k: 'console', post: alice, text: 'now' })
})
