import type { GameId } from '../../../main/contract/ids.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { config as cowsConfig } from '../../../main/referees/cows/config.ts'
import { makeMap, mapOptions, mapText, type HerdMap } from '../../../main/referees/cows/kinds.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import type { PlayedMatch } from './random-histories.ts'

/** Draws for the players of a match. */
export interface Draws {
  chance(): number
  happens(likelihood: number): boolean
  below(count: number): number
  pick<T>(list: readonly T[]): T
}

function drawsOf(seed: string): Draws {
  const next = randomStream(sha256(seed))
  const chance = (): number => next() / 2 ** 32
  const below = (count: number): number => Math.floor(chance() * count)
  return { chance, below, happens: (likelihood) => chance() < likelihood, pick: (list) => list[below(list.length)]! }
}

/** Short matches of each game between players that say what comes into their mind. */
export const randomMatches: Readonly<Record<GameId, readonly PlayedMatch[] | Promise<readonly PlayedMatch[]>>> = {
  cows: [0, 1, 2, 3, 4].map(cowsMatch),
}

function cowsMatch(number: number): PlayedMatch {
  const draws = drawsOf(`cows ${number}`)
  const herders = 8
  const map = makeMap(
    mapOptions.parse({
      kind: 'random',
      width: 20,
      height: 20,
      obstacles: 30,
      cows: 70,
      herders,
      corral: 6,
      seed: String(number),
    }),
  )
  const config = cowsConfig.parse({
    map: number === 3 ? serverFile(map) : mapText(map),
    steps: 60,
    profile: number % 2 === 0 ? 'document' : 'server-2008',
    ...(number === 4 ? { fearRange: 3, attractionRange: 6, failure: 50, emptyWeight: 3 } : {}),
  })
  const act = (): string | null => (draws.happens(0.1) ? null : draws.pick(actions))
  return {
    config,
    entrants: 2,
    next: (saved) => ({
      type: 'step',
      step: (saved as { step: number }).step,
      actions: [0, 1].map(() => Array.from({ length: herders }, act)),
    }),
  }
}

/** A map as a configuration of the organisers' server. */
function serverFile({ rows, corrals, herders }: HerdMap): string {
  const list = (name: string, items: readonly number[]): string =>
    `<array meta:name="${name}" meta:length="${items.length}" ${items.map((item, at) => `item${at}="${item}"`).join(' ')} />`
  const lists = (name: string, cells: readonly (readonly [number, number])[]): string =>
    list(
      `${name}X`,
      cells.map(([x]) => x),
    ) +
    list(
      `${name}Y`,
      cells.map(([, y]) => y),
    )
  const cellsOf = (character: string): [number, number][] =>
    rows.flatMap((row, y) =>
      Array.from(row).flatMap((cell, x) => (cell === character ? [[x, y] as [number, number]] : [])),
    )
  const agents = herders.map((team, seat) => team.map(() => `<agent team="t${seat}" />`).join('')).join('')
  return `<conf><match><simulation id="s"><configuration xmlns:meta="http://example.org/" sizex="${rows[0]!.length}" sizey="${rows.length}">
${lists('agentPosition', herders.flat())}${lists('cowPosition', cellsOf('c'))}${lists('obstaclePosition', cellsOf('#'))}
${corrals
  .map(({ x0, y0, x1, y1 }, seat) =>
    lists(`stable${seat + 1}`, [
      [x0, y0],
      [x1, y1],
    ]),
  )
  .join('')}
</configuration><agents>${agents}</agents></simulation></match></conf>`
}
