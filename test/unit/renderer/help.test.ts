import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { gameWindows } from '../../../renderer/games.ts'
import { findInPages } from '../../../renderer/help/find.ts'
import { manualPages } from '../../../renderer/help/manual.ts'
import { helpFor } from '../../../renderer/help/page-for-screen.ts'
import { sectionsOf } from '../../../renderer/help/search.ts'
import { routes } from '../../../renderer/navigation/routes.ts'
import type { Block, Span } from '../../../renderer/rules/rulebook.ts'
import Help from '../../../renderer/screens/help/help.svelte'
import HelpPage from '../../../renderer/screens/help/help-page.svelte'
import { visit } from './visit.ts'

beforeAll(() => {
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(cleanup)

/** The places that links of some blocks lead to. */
function linksIn(blocks: readonly Block[]): readonly string[] {
  const inLine = (spans: readonly Span[]): readonly string[] =>
    spans.flatMap((span) => (span.kind === 'link' ? [span.to] : []))
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return inLine(block.spans)
      case 'list':
        return block.items.flatMap((item) => linksIn(item.blocks))
      case 'table':
        return [block.head, ...block.rows].flat().flatMap(inLine)
      case 'code':
        return []
    }
  })
}

/** The ids of headings and numbered items. */
function idsOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') return [block.id]
    return block.kind === 'list' ? block.items.flatMap(({ id, blocks: inner }) => [id ?? '', ...idsOf(inner)]) : []
  })
}

test('the manual has the language, the commands, and the rules of every game, and each of its links leads somewhere', async () => {
  const pages = await manualPages()
  const texts = new Map(await Promise.all(pages.map(async (page) => [page.id, await page.load()] as const)))
  expect(pages.filter(({ listed }) => listed).map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'starting',
      'contests',
      'language',
      'class-dictionaries',
      'commands',
      'security',
      ...gameWindows.map(({ id }) => `games/${id}-rules`),
    ]),
  )
  const dead = pages.flatMap(({ id }) =>
    linksIn(texts.get(id) ?? []).flatMap((to) => {
      const [page = '', at = ''] = to.split('#', 2)
      const target = texts.get(page)
      return target !== undefined && (at === '' || idsOf(target).includes(at)) ? [] : [`${id}: ${to}`]
    }),
  )
  expect(dead).toEqual([])
  expect(pages.flatMap(({ id }) => linksIn(texts.get(id) ?? [])).length).toBeGreaterThan(100)
})

test('each page that a screen leads to is in the manual', async () => {
  const pages = await manualPages()
  const screens = routes.map(({ pattern }) => `#${pattern.split('?', 1)[0]!.replaceAll(/:\w+/g, 'x')}`)
  const wrong = screens.map(helpFor).filter((to) => {
    const [, page = '', at] = /^#\/help(?:\/([^?]*))?(?:\?at=(.*))?$/.exec(to)!
    const found = pages.find(({ id }) => id === decodeURIComponent(page))
    return page !== '' && (found === undefined || (at !== undefined && !found.sections.some(({ id }) => id === at)))
  })
  expect(wrong).toEqual([])
  expect(
    ['#/contests/cup', '#/contests/cup/analysis?tab=x', '#/challenges', '#/challenges/a', '#/class'].map(helpFor),
  ).toEqual(
    ['contests', 'mining', 'challenge-tutorial', 'language', ''].map((id) => (id === '' ? '#/help' : `#/help/${id}`)),
  )
})

test('sections that have the words in their titles come first', () => {
  const section = (at: string, title: string, text: string) => ({ at, title, text })
  const pages = [
    { page: { id: 'one', title: 'One' }, sections: [section('a', 'Elsewhere', 'The time slot is short.')] },
    {
      page: { id: 'two', title: 'Two' },
      sections: [section('b', 'Time slot', 'A limit.'), section('c', 'Other', 'no')],
    },
  ]
  expect(findInPages(pages, ' TIME  slot').map(({ page, at }) => `${page}#${at}`)).toEqual(['two#b', 'one#a'])
  const texts = ['the limit of time', 'a sometime limit, a time', 'time, limit, time, limit', 'the time limit'].map(
    (text) => ({
      page: { id: text, title: 'Three' },
      sections: [section('', 'Three', text)],
    }),
  )
  expect(findInPages(texts, 'time limit').map(({ page }) => page)).toEqual([3, 2, 0, 1].map((at) => texts[at]!.page.id))
  expect(findInPages(pages, 'time zone')).toEqual([])
  // The excerpt contains the word that was found, also the first one.
  const excerptOf = (text: string) =>
    findInPages([{ page: { id: 'x', title: 'X' }, sections: [section('', 'X', text)] }], 'kit')[0]!.excerpt
  expect(excerptOf('Kits are here.')).toBe('Kits are here.')
  expect(excerptOf(`${'word '.repeat(20)}kit`)).toMatch(/^…word .*kit$/)
  expect(findInPages(pages, ' ')).toEqual([])
  expect(sectionsOf({ title: 'T' }, [{ kind: 'code', text: 'x\n y' }])).toEqual([section('', 'T', 'x y')])
})

test('a page opens with the focus on its heading, and the address notes the search', async () => {
  render(HelpPage, { page: 'language' })
  const heading = await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  cleanup()
  visit('#/help?search=tie')
  render(Help, { search: 'tie' })
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'time slot' } })
  await waitFor(() => expect(location.hash).toBe('#/help?search=time+slot'))
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: '' } })
  await waitFor(() => expect(location.hash).toBe('#/help'))
})

test('the search leads to a section, which is shown', async () => {
  render(Help, {})
  await screen.findByRole('link', { name: 'The challenge language' })
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'railroad diagrams' } })
  const link = await screen.findByRole('link', { name: 'Grammar' })
  expect(link.getAttribute('href')).toBe('#/help/language?at=grammar')
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'xyzzyplugh' } })
  await screen.findByText('Nothing found')
  cleanup()
  render(HelpPage, { page: 'language', at: 'grammar' })
  const heading = await screen.findByRole('heading', { name: 'Grammar', level: 2 })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  cleanup()
  render(HelpPage, { page: '../secret' })
  await screen.findByText('No such page')
})
