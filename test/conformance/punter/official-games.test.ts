import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGameLog } from '../../../main/services/games/punter/game-log.ts'
import { rescore } from '../../../main/services/games/punter/rescore.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const archive = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data', 'punter-games.tar.xz')
const isHere = existsSync(archive)
const folder = isHere ? temporaryFolder('official-games') : ''

test.skipIf(!isHere)(
  'each official game has its official scores, futures, credits and options (needs ../shared/data)',
  () => {
    execFileSync('tar', ['xJf', archive, '-C', folder])
    const files = globSync('*/**/*.json', { cwd: folder }).filter((file) => !file.includes('/maps/'))
    const maps = new Map<string, string>()
    const wrong: string[] = []
    for (const file of files) {
      const log = readGameLog(readFileSync(join(folder, file), 'utf8'))
      if (typeof log === 'string') throw new Error(log)
      const map = maps.get(log.map) ?? readFileSync(join(folder, 'punter-games', 'maps', log.map), 'utf8')
      maps.set(log.map, map)
      const { differences, scores } = rescore(log, map)
      expect(scores).toHaveLength(log.punters)
      if (differences.length > 0) wrong.push(`${file}: ${differences.join(' ')}`)
    }
    expect(wrong).toEqual([])
    expect(files).toHaveLength(355)
  },
  60_000,
)
