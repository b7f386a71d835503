import type { Page } from '@playwright/test'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openClassroom, type ClassroomService } from '../../main/app/classroom-service.ts'
import { hostCaller } from '../../main/contract/people/caller.ts'
import type { ContestDraft } from '../../main/contract/procedures/procedures.ts'
import { makeMap, mapOptions, mapText } from '../../main/referees/punter/kinds.ts'
import { withFolder } from './folder.ts'
import { rowOf } from './row.ts'
import { inBrowser, inClassroom, makeEmptyClass, slowestSecond } from './window-stage.ts'

/** A grid of about 10,000 rivers. */
const MAP = { kind: 'grid', sites: 5_040, mines: 8 }
/** As the select of the window has it: the next one above the 20 moves/s that are wanted. */
const SPEED = '50 a second'

/** Claims rivers in an order that jumps about the map. */
const agent = `
module.exports = class {
  setup(map, { punter }) {
    this.rivers = map.rivers
    this.at = punter * 4000
  }
  move() {
    this.at = (this.at + 7919) % this.rivers.length
    return { claim: this.rivers[this.at] }
  }
}
`

/** A match of Lambda Punter on a large map that is played back in a browser. */
export const windowRivers = inBrowser('window-rivers', (page) =>
  withFolder(async (folder) => {
    const data = join(folder, 'data')
    await makeEmptyClass(data)
    const { frames, atRest, rate, rivers } = await inClassroom(page, await openClassroom({ data }), playBack)
    return [
      rowOf(
        {
          name: `window, a match on ${rivers} rivers played back at ${rate.toFixed(0)} moves/s`,
          value: frames,
          unit: 'frames/s',
        },
        { name: 'a screen at rest', value: atRest, unit: 'frames/s' },
        { of: 'value', atLeast: 50 },
      ),
    ]
  }),
)

async function playBack(page: Page, { handlers, takePackage }: ClassroomService) {
  const atRest = await slowestSecond(page)
  const file = makeMap(mapOptions.parse(MAP))
  await handlers['texts.add']({ game: 'punter', field: 'map', name: 'large', text: mapText(file) }, hostCaller)
  const entrants: ContestDraft['entrants'][number][] = []
  for (const name of ['one', 'two']) {
    const becomes = { what: 'agent', name } as const
    const { file } = await takePackage(`${name}.js`, Readable.from([Buffer.from(agent)]))
    const submission = { file, game: 'punter', belonging: {}, becomes, wait: false }
    const { versions } = await handlers['agents.submit'](submission, hostCaller)
    entrants.push({ name, agent: versions[0]!.agent })
  }
  const draft: ContestDraft = {
    title: 'Rivers',
    game: 'punter',
    config: { map: 'large' },
    format: { type: 'round-robin', seats: 2, repeats: 1 },
    seed: 'rivers',
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 256, messageBytes: 1_048_576, consoleBytes: 65_536 },
    isolation: 'none',
    clock: 'frozen',
    sample: 1,
    entrants,
  }
  const { contest } = await handlers['contests.create']({ draft }, hostCaller)
  await handlers['contests.start']({ contest }, hostCaller)
  const ended = async (): Promise<boolean> =>
    (await handlers['contests.get']({ contest }, hostCaller)).summary.state === 'ended'
  while (!(await ended())) await new Promise((resolve) => setTimeout(resolve, 100))
  await page.evaluate((to) => (location.hash = to), `#/contests/${contest}/matches/0`)
  const map = page.getByRole('application', { name: /^Map:/ })
  await map.waitFor()
  await page.getByRole('combobox', { name: 'Speed' }).selectOption({ label: SPEED })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const taken = async (): Promise<number> => Number(/\d+/.exec((await map.getAttribute('aria-label')) ?? '')?.[0])
  const [before, begun] = [await taken(), performance.now()]
  const frames = await slowestSecond(page)
  const rate = ((await taken()) - before) / ((performance.now() - begun) / 1_000)
  return { frames, atRest, rate, rivers: file.rivers.length }
}
