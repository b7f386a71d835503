import { expect, test } from 'vitest'
import { finishable } from '../../../main/cli/interrupt.ts'
import { showProgress } from '../../../main/cli/progress.ts'
import type { Terminal } from '../../../main/cli/terminal.ts'

/** A terminal that keeps its notices, and a clock that is set. */
function stage() {
  const notes: string[] = []
  let now = 0
  const terminal = { live: null, note: (text: string) => void notes.push(text) } as Partial<Terminal> as Terminal
  const progress = showProgress(terminal, 'matches', () => now)
  return {
    notes,
    /** `seconds` after the beginning. */
    update(seconds: number, done: number, total: number, msLeft: number | null = null) {
      now = seconds * 1_000
      progress.update({ done, total, msLeft })
    },
  }
}

test('without a terminal a line comes after each quarter, with rate and time left, and without control characters', () => {
  const { notes, update } = stage()
  for (let done = 0; done <= 40; done++) update(done / 20, done, 40, done === 0 ? null : (40 - done) * 50)
  expect(notes).toEqual([
    '10 of 40 matches, 20 a second, 2 s left',
    '20 of 40 matches, 20 a second, 1 s left',
    '30 of 40 matches, 20 a second, 1 s left',
    '40 of 40 matches, 20 a second',
  ])
})

test('long work tells of itself in between: at first every ten seconds, then less and less often', () => {
  const { notes, update } = stage()
  for (let minute = 0; minute < 60; minute++)
    for (let second = 0; second < 60; second += 5) update(minute * 60 + second, minute * 12 + second / 5, 100_000)
  expect(notes[0]).toBe('2 of 100000 matches, 12 a minute')
  expect(notes.length).toBeGreaterThan(20)
  expect(notes.length).toBeLessThan(60)
  expect(notes.every((line) => /^[\x20-\x7e]+$/.test(line))).toBe(true)
})

test('a resumed contest is paced by this run, and nothing played has no rate', () => {
  const { notes, update } = stage()
  update(0, 50, 100)
  update(12, 50, 100)
  update(30, 56, 100, 220_000)
  expect(notes).toEqual(['50 of 100 matches', '50 of 100 matches', '56 of 100 matches, 12 a minute, 4 min left'])
})

/** Work that is asked to end, and what it was told. */
async function interrupted(...requests: readonly boolean[]): Promise<readonly string[]> {
  const told: string[] = []
  let request = (_: boolean): void => undefined
  const environment = {
    onInterrupt(callback: (bySystem?: boolean) => void) {
      request = callback
      return () => void told.push('no longer listens')
    },
    exit: (code: number) => void told.push(`exit ${code}`),
  }
  const context = { environment } as unknown as Parameters<typeof finishable>[0]
  const say = (text: string): void => void told.push(text)
  await finishable(context, { finishing: 'finishing', stopping: 'stopping', say }, (signal, finishing) => {
    finishing.addEventListener('abort', () => told.push('finish'))
    signal.addEventListener('abort', () => told.push('stop'))
    for (const bySystem of requests) request(bySystem)
    return Promise.resolve()
  })
  return told
}

test('the first Ctrl-C finishes what runs, the second stops it, the third ends the process; the system only stops it', async () => {
  const end = 'no longer listens'
  expect(await interrupted(false)).toEqual(['finish', 'finishing', end])
  expect(await interrupted(false, false)).toEqual(['finish', 'finishing', 'stop', 'stopping', end])
  expect(await interrupted(false, false, false)).toEqual(['finish', 'finishing', 'stop', 'stopping', 'exit 130', end])
  expect(await interrupted(true)).toEqual(['stop', 'stopping', end])
  expect(await interrupted(false, true)).toEqual(['finish', 'finishing', 'stop', 'stopping', end])
})
