import { beforeEach, expect, test } from 'vitest'
import { challengeDraftOf, keepDraft } from '../../../renderer/screens/challenge/drafts.ts'
import { loadTexts, replyField, textsOfCase, withoutForm } from '../../../renderer/screens/hearings/unsent-texts.ts'

const me = '0123456789abcdef'
const answer = { step: 'answered', field: 'answer', label: 'Your answer', text: 'We did not.' } as const
const reply = (question: number) =>
  ({ step: 'replied', field: replyField(question), label: 'Reply', text: `To ${question}.` }) as const

beforeEach(() => {
  sessionStorage.clear()
  loadTexts()
})

test('a typed text stays until it is sent, also over a reload, and belongs to one person in one case', () => {
  const texts = textsOfCase('case-1', me)
  texts.keep(answer)
  texts.keep(reply(12))
  expect([texts.of('answer'), texts.of('question')]).toEqual(['We did not.', ''])
  expect(textsOfCase('case-1', 'f'.repeat(16)).all()).toEqual([])
  expect(textsOfCase('case-2', me).all()).toEqual([])
  // The page is loaded again.
  loadTexts()
  expect(texts.all()).toEqual([answer, reply(12)])
  texts.drop('answer')
  texts.keep({ ...reply(12), text: '' })
  expect([texts.all(), sessionStorage.length]).toEqual([[], 0])
})

test('texts whose form is gone are shown: the stage is over, or somebody else has replied', () => {
  const all = [answer, reply(12), reply(15)]
  expect(withoutForm(all, ['answered'], null)).toEqual([reply(12), reply(15)])
  expect(withoutForm(all, ['replied', 'exhibited'], 15)).toEqual([answer, reply(12)])
  expect(withoutForm(all, ['answered', 'replied'], 12)).toEqual([reply(15)])
  expect(withoutForm(all, [], null)).toEqual(all)
})

test('at one origin the texts and drafts of a class stay its own', () => {
  const show = (name: string): void => {
    history.replaceState(null, '', `/?class=${name}`)
    loadTexts()
  }
  const draft = { text: 'challenge x', from: '' as never }
  show('algebra')
  textsOfCase('case-1', null).keep(answer)
  keepDraft('new', draft)
  show('geometry')
  expect([textsOfCase('case-1', null).all(), challengeDraftOf('new')]).toEqual([[], null])
  keepDraft('new', null)
  show('algebra')
  expect([textsOfCase('case-1', null).all(), challengeDraftOf('new')]).toEqual([[answer], draft])
  history.replaceState(null, '', '/')
})
