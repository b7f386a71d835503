import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { playCops } from '../../../main/services/games/cops/play.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { completed } from '../../unit/cops/stage.ts'

const folder = temporaryFolder('cops-villains')
const bot = join(import.meta.dirname, '..', '..', 'conformance', 'cops', 'bot.py')
const villain = join(import.meta.dirname, 'villain.py')

/** A game of honest programs with a villain as the third cop. */
function played(illegal: string, deed: string, more: readonly string[] = []) {
  const honest = (...words: readonly string[]) => ({ folder, command: ['python3', bot, ...words] })
  return playCops({
    config: completed({ illegal, lastWorld: 2 }),
    programs: [
      honest('robber', 'Fox', '7'),
      honest('cop-foot', 'Ann', '1'),
      honest('cop-car', 'Bob', '2'),
      { folder, command: ['python3', villain, deed, ...more] },
      honest('cop-foot', 'Max', '3'),
      honest('cop-car', 'Zed', '4'),
    ],
    limits: { startMs: 30_000, moveMs: 1_500 },
    isolation: null,
  })
}

const deeds: readonly (readonly [deed: string, why: RegExp])[] = [
  ['flood', /\b8 messages\b/],
  ['flood-without-lines', /more than 1000 bytes/],
  ['flood-of-one-message', /bytes without completing a message/],
  ['flood-of-stderr', /bytes to stderr/],
  ['huge-line', /more than 1000 bytes/],
  ['too-many-lines', /more than 1,000 lines/],
  ['not-utf-8', /^Line 2, character 6: the character "ÿ" cannot stand here, in ".*"\.$/],
  ['controls', /^Line 2, character 6: the character "\\u001b" cannot stand here, in ".*"\.$/],
  ['forged-block', /^Line 2, character 5: the character ":"/],
  ['message-of-the-server', /^Line 1, character 1: "game-over" cannot stand here, in "game-over"\. Standard output/],
  ['half-a-message', /exit code 0/],
  ['dies', /exit code 1/],
  ['closes-its-output', /closed its output/],
  ['never-reads', /gave no answer|did not/],
  ['empty-line', /^Line 1, character 1: .*\bempty\b/],
  ['too-long-name', /more than 100 characters/],
  ['name-with-escape', /the character "\\u001b" cannot stand here/],
]

describe('a cop that does harm', () => {
  test.each(deeds)(
    '%s: it alone is disqualified, or it alone stands still',
    async (deed, why) => {
      const strict = await played('disqualified', deed)
      expect([strict.end, strict.scores]).toEqual(['disqualified', Array(6).fill(0)])
      expect(strict.disqualified.map((each) => each !== null)).toEqual([false, false, false, true, false, false])
      expect(strict.disqualified[3]).toMatch(why)
      const lenient = await played('stands-still', deed)
      expect(['caught', 'escaped']).toContain(lenient.end)
      expect(lenient.disqualified).toEqual(Array(6).fill(null))
      expect(new Set(lenient.refused.map(({ name }) => name))).toEqual(new Set([lenient.names[3]]))
      expect(lenient.refused[0]?.text).toMatch(why)
    },
    60_000,
  )

  test.each(['two-at-once', 'early', 'name-of-another', 'long-name'])(
    '%s is allowed',
    async (deed) => {
      const { end, disqualified, refused, names } = await played('disqualified', deed)
      expect([disqualified, refused]).toEqual([Array(6).fill(null), []])
      expect(end).not.toBe('disqualified')
      // A name that the robber has is changed.
      expect(new Set(names).size).toBe(6)
    },
    60_000,
  )

  test('a player that stays after game-over is ended', async () => {
    const file = join(folder, 'pid')
    const { disqualified } = await played('disqualified', 'stays', [file])
    expect(disqualified).toEqual(Array(6).fill(null))
    const pid = Number(readFileSync(file, 'utf8'))
    // The process that started it may notice its end a moment later.
    await vi.waitUntil(
      () => {
        try {
          return !process.kill(pid, 0)
        } catch {
          return true
        }
      },
      { timeout: 20_000 },
    )
  }, 60_000)
})
