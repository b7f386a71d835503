import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import alignment from '../../../grammars/challenges/longest-common-subsequence.challenge?raw'
import bars from '../../../grammars/challenges/knapsack.challenge?raw'
import gantt from '../../../grammars/challenges/job-scheduling.challenge?raw'
import graph from '../../../grammars/challenges/graph-colouring.challenge?raw'
import grid from '../../../grammars/challenges/max-csp.challenge?raw'
import table from '../../../grammars/challenges/cubic-equations.challenge?raw'
import { describePicture } from '../../../grammars/challenges/pictures/describe-picture.ts'
import type { Picture as Drawing } from '../../../grammars/challenges/index.ts'
import type { PlayTest } from '../../../grammars/play-test/report.ts'
import type { Sample } from '../../../renderer/challenge-worker/messages.ts'
import { triedGame } from '../../../renderer/challenge-worker/try-game.ts'
import { sceneOf } from '../../../renderer/parts/picture/scene.ts'
import Picture from '../../../renderer/parts/picture/picture.svelte'
import { chartsOf } from '../../../renderer/screens/challenge/bars.ts'
import GameReport from '../../../renderer/screens/challenge/game-report.svelte'
import { machines } from '../play-test/own-games.ts'
import { template } from '../../../renderer/screens/challenges/template.ts'

afterEach(cleanup)

interface Trial {
  /** null: none was found. */
  readonly sample: Sample | null
  readonly test: PlayTest
}

async function tried(source: string): Promise<Trial> {
  let [sample, test]: [Sample | null, PlayTest | null] = [null, null]
  for await (const reply of triedGame(
    { source, settings: {} },
    () => Promise.resolve('5'.repeat(64)),
    () => 0,
  )) {
    if (reply.kind === 'sampled') sample = reply.sample
    if (reply.kind === 'tried') test = reply.test
  }
  if (test === null) throw new Error('The game was not tried out.')
  return { sample, test }
}

/** The picture of a solved random instance. */
async function pictureIn(source: string): Promise<Drawing> {
  const replies = triedGame(
    { source, settings: {} },
    () => Promise.resolve('5'.repeat(64)),
    () => 0,
  )
  for await (const reply of replies) if (reply.kind === 'sampled') return reply.sample.picture!
  throw new Error('Nothing was drawn.')
}

const count = (selector: string): number => document.querySelectorAll(selector).length
const texts = (elements: Iterable<Element>): readonly string[] =>
  [...elements].map((one) => one.textContent.replace(/\s+/g, ' ').trim())

describe('a picture is drawn: each line and each box, with colours and marks', () => {
  test.each(Object.entries({ alignment, bars, gantt, graph, grid, table }))('%s', async (kind, source) => {
    const picture = await pictureIn(source)
    expect(picture.kind).toBe(kind)
    expectDrawn(picture)
    expect(texts(document.querySelectorAll('figure details li'))).toEqual(describePicture(picture))
  })

  test('the shapes of all colours and marks are told apart', () => {
    const shape = (name: string, colour: number, mark: boolean) => {
      return { word: 'node', places: [name], label: null, colour, mark } as const
    }
    const edge = { word: 'edge', places: ['a', 'b'], label: null, colour: 0, mark: true } as const
    const shapes = [shape('a', 1, true), shape('b', 2, false), shape('c', 0, false), edge]
    render(Picture, { picture: { kind: 'graph', left: 0, shapes }, name: 'Three' })
    const drawn = [...document.querySelectorAll('svg path')].map((one) => one.getAttribute('d'))
    expect(new Set(drawn).size).toBe(2)
    expect([count('svg path.mark'), count('svg circle'), count('svg line.mark')]).toEqual([1, 1, 1])
  })

  test('the text of strangers is text', () => {
    const label = '<img src=x onerror=alert(1)>'
    const shapes = [{ word: 'bar', places: [1], label, colour: 0, mark: false }] as const
    render(Picture, { picture: { kind: 'bars', left: 0, shapes }, name: label })
    expect(count('img[src]')).toBe(0)
    expect(texts(document.querySelectorAll('details li'))[1]).toContain(label)
  })

  function expectDrawn(picture: Drawing): void {
    render(Picture, { picture, name: 'This picture' })
    if (picture.kind === 'table') {
      const cells = screen.getAllByRole('cell').length + screen.getAllByRole('columnheader').length
      expect(cells).toBe(picture.shapes.length)
      for (const { label } of picture.shapes) expect(screen.getByRole('table').textContent).toContain(label!)
      return
    }
    const { lines, boxes } = sceneOf(picture)
    expect(screen.getByRole('img', { name: /^This picture\. [\w ]+: \d/ })).toBeTruthy()
    expect(count('svg line')).toBe(lines.length)
    expect(count('svg line.mark')).toBe(lines.filter(({ mark }) => mark).length)
    expect(boxes.length).toBeGreaterThan(2)
    const places = [...document.querySelectorAll('svg text:not(.on-line)')].map((one) => Number(one.getAttribute('x')))
    expect(places).toEqual(boxes.map(({ x, width }) => x + width / 2))
    expect(count('svg circle') + count('svg path.edge') + count('svg rect')).toBe(boxes.length)
    expect(count('.edge.mark')).toBe(boxes.filter(({ mark }) => mark).length)
    for (const { x, y, width, height } of boxes) {
      expect([x, y, x + width, y + height].every((place) => Number.isFinite(place) && place >= 0)).toBe(true)
    }
  }
})

describe('the game beside the editor', () => {
  const shown = ({ sample, test }: Trial, onpick = vi.fn()): typeof onpick => {
    render(GameReport, { trial: { sample, test, state: 'current', failure: '' }, onpick })
    return onpick
  }

  test('has a picture and a bar for each number of each chart', async () => {
    const found = await tried(template)
    shown(found)
    expect(screen.getByRole('status').textContent).toBe('The game can be played.')
    expect(screen.getByRole('img', { name: /^A random instance with the best solution found/ })).toBeTruthy()
    const charts = chartsOf(found.test)
    const figures = screen.getAllByRole('figure').filter((one) => !one.classList.contains('picture'))
    expect(figures).toHaveLength(charts.length)
    for (const [at, { title, bars: numbers }] of charts.entries()) {
      const figure = figures[at]!
      expect(figure.textContent).toContain(title)
      expect(texts(figure.querySelectorAll('dd'))).toEqual(numbers.map(({ text }) => text))
      const widths = [...figure.querySelectorAll('rect.bar')].map((bar) => Number(bar.getAttribute('width')))
      expect(widths).toEqual(numbers.map(({ share }) => 100 * share))
      expect(figure.querySelectorAll('rect.mark')).toHaveLength(numbers.filter(({ mark }) => mark !== null).length)
    }
    expect(screen.queryByRole('list', { name: 'Findings' })).toBeNull()
  })

  test('lists the findings, and a click goes to the line', async () => {
    const source = machines.replace('sum(instance.jobs) / config.machines', 'sum(instance.jobs) / 2')
    const found = await tried(source)
    const onpick = shown(found)
    expect(screen.getByRole('status').textContent).toBe('The game is not playable.')
    const items = within(screen.getByRole('list', { name: 'Findings' })).getAllByRole('listitem')
    expect(items).toHaveLength(found.test.warnings.length)
    const at = found.test.warnings.findIndex(({ code }) => code === 'bound-wrong')
    const warning = found.test.warnings[at]!
    expect(items[at]!.textContent).toContain(warning.message)
    expect(items[at]!.classList.contains('fatal')).toBe(true)
    await fireEvent.click(within(items[at]!).getByRole('button'))
    expect(onpick.mock.calls).toEqual([[source.indexOf('\nbound = ') + 1]])
    for (const [i, { at }] of found.test.warnings.entries()) {
      expect(within(items[i]!).getByRole('button').hasAttribute('disabled')).toBe(at === null)
    }
  })
})
