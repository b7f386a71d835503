import '../../../no-eval.ts'
import { surveyChallenge } from '../../../../grammars/challenges/index.ts'
import { find } from './find.ts'
import type { StudyReply, StudyRequest } from './messages.ts'
import { samples } from './samples.ts'

/** Parses and samples challenges in a worker, so that the window stays responsive. */
addEventListener('message', ({ data }: MessageEvent<StudyRequest>) => void answer(data))

async function answer(question: StudyRequest): Promise<void> {
  if (question.kind === 'check') {
    const { problems, survey } = surveyChallenge(question.source)
    tell({ kind: 'checked', problems, survey })
    return
  }
  if (question.kind === 'find') {
    tell(find(question.source, question.wish))
    return
  }
  for await (const one of samples(question.source, question, hashOf)) tell(one)
}

function tell(one: StudyReply): void {
  postMessage(one)
}

async function hashOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
