import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Precedent } from '../../../main/contract/cases/case-procedures.ts'
import { caseId } from '../../../main/contract/cases/cases.ts'
import { gameWindows } from '../../../renderer/games.ts'
import { closeRules } from '../../../renderer/rules/open-rules.svelte.ts'
import RuleText from '../../../renderer/rules/rule-text.svelte'
import RuleLink from '../../../renderer/rules/rule-link.svelte'
import RulesPanel from '../../../renderer/rules/rules-panel.svelte'
import { rulebookOf } from '../../../scripts/rulebooks.ts'
import { createRawSnippet } from 'svelte'

beforeAll(() => {
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => {
  closeRules()
  cleanup()
})

/** The ids of a rulebook's headings and numbered items. */
function idsOf(blocks: ReturnType<typeof rulebookOf>): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') return [block.id]
    return block.kind === 'list' ? block.items.flatMap(({ id }) => id ?? []) : []
  })
}

const rulebooks = gameWindows.flatMap(({ id, rulebook }) => (rulebook === undefined ? [] : [[id, rulebook] as const]))

test('the games of the class have rulebooks', () => {
  expect(rulebooks.map(([id]) => id).toSorted()).toEqual(['cops', 'cows', 'haggle', 'punter', 'specker'])
})

test.each(rulebooks)('each rule of %s has an anchor of its own', async (_, rulebook) => {
  const book = await rulebook()
  const ids = idsOf(book)
  expect(new Set(ids).size).toBe(ids.length)
  const rules = ids.filter((each) => /^rule-\d+$/.test(each))
  expect(rules).toEqual(rules.map((_, at) => `rule-${at + 1}`))
  expect(rules.length).toBeGreaterThan(5)
})

test('a rulebook holds no HTML, and links to other pages become their words', () => {
  expect(() => rulebookOf('A <b>rule</b>')).toThrow('A rulebook has no html')
  expect(() => rulebookOf('![x](y.png)')).toThrow('A rulebook has no image')
  expect(rulebookOf('See [Haggling](haggle.md) and [rule 2](#rule-2), *a* `b` **c**.')).toEqual([
    {
      kind: 'paragraph',
      spans: [
        { kind: 'text', text: 'See ' },
        { kind: 'text', text: 'Haggling' },
        { kind: 'text', text: ' and ' },
        { kind: 'link', text: 'rule 2', to: 'rule-2' },
        { kind: 'text', text: ', ' },
        { kind: 'em', text: 'a' },
        { kind: 'text', text: ' ' },
        { kind: 'code', text: 'b' },
        { kind: 'text', text: ' ' },
        { kind: 'strong', text: 'c' },
        { kind: 'text', text: '.' },
      ],
    },
  ])
})

test('a link opens the rules at its rule; Escape closes them and the keyboard is back at the link', async () => {
  render(RulesPanel)
  const children = createRawSnippet(() => ({ render: () => '<span>Rule 5</span>' }))
  render(RuleLink, { game: gameWindows[0].id, number: 5, children })
  const link = screen.getByRole('button', { name: /Rule 5/ })
  link.focus()
  await fireEvent.click(link)
  const heading = await screen.findByRole('heading', { name: /^Rule 5\./ })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(heading.className).toContain('marked')
  expect(screen.getByRole('heading', { name: /^Rule 4\./ }).className).not.toContain('marked')
  await fireEvent.keyDown(heading, { key: 'Escape' })
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(document.activeElement).toBe(link)
})

test('a text about no rule is not a link', () => {
  const children = createRawSnippet(() => ({ render: () => '<span>Fault</span>' }))
  render(RuleLink, { game: gameWindows[0].id, number: undefined, children })
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('Fault')).toBeTruthy()
})

test('a rule of a book names the closed cases in which it was applied, and no other rule does', () => {
  const blocks = rulebookOf('## Rule 5. Price `lowering`\n\nA lowered price.\n\n## Rule 6. Time\n\nA minute.')
  const applied = (id: string, rule: string, broken: boolean) => ({ case: caseId.parse(id), rule, broken })
  const precedents: readonly Precedent[] = [
    applied('case-4', 'Rule 5. Price `lowering`', true),
    applied('case-7', 'Rule 5. Price lowering', false),
    applied('case-9', 'Rule 7. Noise', true),
  ]
  render(RuleText, { blocks, chosen: null, precedents })
  const told = screen.getAllByText(/^Applied in/)
  expect(told.map((each) => each.textContent?.replaceAll(/\s+/g, ' ').trim())).toEqual([
    'Applied in case 4 (broken), case 7 (not broken).',
  ])
  expect(told[0]!.previousElementSibling).toBe(screen.getByRole('heading', { name: 'Rule 5. Price lowering' }))
  expect(screen.getByRole('link', { name: 'case 4' }).getAttribute('href')).toBe('#/hearings/case-4')
})
