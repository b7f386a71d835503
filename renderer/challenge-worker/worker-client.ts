import type { Advice, Question } from './consult.ts'
import type { Json } from '../../grammars/json.ts'
import type { WorkerReply, Checked, WorkerRequest, Wanted, Wish } from './messages.ts'

/** Sends one request at a time; a new request replaces a pending one. `end` cancels it. */
export interface ChallengeWorker {
  ask(question: WorkerRequest, listener: (answer: WorkerReply) => void, broken: (message: string) => void): void
  end(): void
}

function startChallengeWorker(): ChallengeWorker {
  let worker: Worker | null = null
  function end(): void {
    worker?.terminate()
    worker = null
  }
  return {
    ask(question, listener, broken) {
      worker ??= new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
      const mine = worker
      mine.onmessage = ({ data }: MessageEvent<WorkerReply>) => listener(data)
      mine.onerror = (event) => {
        event.preventDefault()
        if (mine === worker) end()
        broken(event.message || 'The background check of the challenge failed.')
      }
      mine.postMessage(question)
    },
    end,
  }
}

/** Checks texts one at a time; after each, only the newest text that has arrived meanwhile. */
export interface Checker {
  check(source: string): void
  end(): void
}

export function createChecker(
  onchecked: (checked: Checked, source: string) => void,
  onbroken: (message: string) => void,
  worker: ChallengeWorker = startChallengeWorker(),
): Checker {
  let busy = false
  let next: string | null = null

  function begin(source: string): void {
    busy = true
    const done = (): void => {
      busy = false
      if (next === null) return
      const newest = next
      next = null
      begin(newest)
    }
    worker.ask(
      { kind: 'check', source },
      (answer) => {
        // If the text has changed meanwhile, the newer one is checked before anything is reported.
        if (answer.kind === 'checked' && next === null) onchecked(answer, source)
        done()
      },
      (message) => {
        onbroken(message)
        done()
      },
    )
  }

  return {
    check(source) {
      if (busy) next = source
      else begin(source)
    },
    end: () => worker.end(),
  }
}

/** Starts making samples. Returns a function that stops it. */
export function takeSamples(
  source: string,
  wanted: Wanted,
  listener: (answer: Exclude<WorkerReply, { kind: 'checked' | 'found' | 'advised' | 'tried' }>) => void,
): () => void {
  const worker = startChallengeWorker()
  worker.ask(
    { kind: 'sample', source, ...wanted },
    (answer) => {
      if (answer.kind !== 'sampled' && answer.kind !== 'part' && answer.kind !== 'ended') return
      listener(answer)
      if (answer.kind === 'ended') worker.end()
    },
    (message) => listener({ kind: 'ended', failure: message }),
  )
  return () => worker.end()
}

/** Starts trying out a game with settings of the challenge. Returns a function that stops it. */
export function tryGame(
  source: string,
  settings: Json,
  listener: (answer: Extract<WorkerReply, { kind: 'sampled' | 'tried' | 'ended' }>) => void,
): () => void {
  const worker = startChallengeWorker()
  worker.ask(
    { kind: 'try', source, settings },
    (answer) => {
      if (answer.kind === 'sampled' || answer.kind === 'tried' || answer.kind === 'ended') listener(answer)
      if (answer.kind === 'ended') worker.end()
    },
    (message) => listener({ kind: 'ended', failure: message }),
  )
  return () => worker.end()
}

/** The text of a requested object. Rejects with the signal's reason, or with an error that says why there is none. */
export function lookFor(source: string, wish: Wish, signal: AbortSignal): Promise<string> {
  const worker = startChallengeWorker()
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    worker.ask(
      { kind: 'find', source, wish },
      (answer) => {
        if (answer.kind === 'found') resolve(answer.text)
        else if (answer.kind === 'ended') reject(new Error(answer.failure ?? 'No solution was found.'))
      },
      (message) => reject(new Error(message)),
    )
  }).finally(() => worker.end())
}

/** The answer to a question about a text in the editor. Rejects if the worker ends. */
export function consult(source: string, question: Question): Promise<Advice> {
  const worker = startChallengeWorker()
  return new Promise<Advice>((resolve, reject) => {
    worker.ask(
      { kind: 'consult', source, question },
      (answer) => {
        if (answer.kind === 'advised') resolve(answer.advice)
      },
      (message) => reject(new Error(message)),
    )
  }).finally(() => worker.end())
}
