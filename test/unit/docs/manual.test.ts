import { expect, test } from 'vitest'
import { manualPages, pageBlocks } from '../../../scripts/manual.ts'

test('a page of the manual holds no HTML, and links out of the manual become their words', () => {
  expect(() => pageBlocks('A <b>bold</b> word', 'contests')).toThrow('html')
  expect(() => pageBlocks('<!-- a --><script>x</script>', 'contests')).toThrow('html')
  expect(() => pageBlocks('A word ![x](y.png)', 'contests')).toThrow('image')
  expect(pageBlocks('![A picture](images/y.png)', 'contests')).toEqual([])
  expect(pageBlocks('<!-- a comment -->', 'contests')).toEqual([])
  const page =
    '[a](javascript:alert) [b](https://example.org) [c](../README.md) [d](language.md#grammar) [e](#top) [f](architecture.md)'
  const [paragraph] = pageBlocks(page, 'contests')
  expect(paragraph?.kind === 'paragraph' && paragraph.spans.filter(({ text }) => text !== ' ')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'b' },
    { kind: 'text', text: 'c' },
    { kind: 'link', text: 'd', to: 'language#grammar' },
    { kind: 'link', text: 'e', to: 'contests#top' },
    { kind: 'text', text: 'f' },
  ])
})

test('links between folders of the manual lead to their pages', () => {
  const [paragraph] = pageBlocks('[a](../language.md) [b](haggle-rules.md#rule-2)', 'games/haggle')
  expect(paragraph).toMatchObject({ spans: [{ to: 'language' }, {}, { to: 'games/haggle-rules#rule-2' }] })
})

test('pages for developers are not in the manual', () => {
  const ids = manualPages().map(({ id }) => id)
  expect(ids).toContain('security/isolation')
  for (const id of ['README', 'architecture', 'games', 'release']) expect(ids).not.toContain(id)
})
