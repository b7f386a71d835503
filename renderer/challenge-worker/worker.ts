import '../no-eval.ts'
import { surveyChallenge } from '../../grammars/challenges/index.ts'
import { advise } from './consult.ts'
import { find } from './find.ts'
import type { WorkerReply, WorkerRequest } from './messages.ts'
import { samples } from './samples.ts'
import { triedGame } from './try-game.ts'

/** Reads challenges beside the window, which stays live however long a text or a search takes. */
addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => void answer(data).catch(fail))

async function answer(question: WorkerRequest): Promise<void> {
  if (question.kind === 'check') {
    const { problems, survey } = surveyChallenge(question.source)
    tell({ kind: 'checked', problems, survey })
    return
  }
  if (question.kind === 'find') {
    tell(find(question.source, question.wish))
    return
  }
  if (question.kind === 'consult') {
    tell({ kind: 'advised', advice: advise(question.source, question.question) })
    return
  }
  if (question.kind === 'try') {
    for await (const one of triedGame(question, hashOf)) tell(one)
    return
  }
  for await (const one of samples(question.source, question, hashOf)) tell(one)
}

/** A fault of the program, which the window shows instead of waiting. */
function fail(error: unknown): void {
  tell({ kind: 'ended', failure: String(error) })
}

function tell(one: WorkerReply): void {
  postMessage(one)
}

async function hashOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
