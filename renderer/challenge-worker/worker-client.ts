import type { WorkerReply, Checked, WorkerRequest, Wanted, Wish } from './messages.ts'

/** Asks one question; what is asked before the answer is there takes its place. `end` gives up. */
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
        broken(event.message || 'The challenge could not be read in the background.')
      }
      mine.postMessage(question)
    },
    end,
  }
}

/** Checks texts as they come: one at a time, then the newest that has come meanwhile. */
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
        // What has been changed meanwhile is checked before anything is said of it.
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

/** Has samples made. Returns how to stop. */
export function takeSamples(
  source: string,
  wanted: Wanted,
  listener: (answer: Exclude<WorkerReply, { kind: 'checked' | 'found' }>) => void,
): () => void {
  const worker = startChallengeWorker()
  worker.ask(
    { kind: 'sample', source, ...wanted },
    (answer) => {
      if (answer.kind === 'checked' || answer.kind === 'found') return
      listener(answer)
      if (answer.kind === 'ended') worker.end()
    },
    (message) => listener({ kind: 'ended', failure: message }),
  )
  return () => worker.end()
}

/** The text of an object of a challenge. Rejects with the signal's reason, or an error that says why there is none. */
export function lookFor(source: string, wish: Wish, signal: AbortSignal): Promise<string> {
  const worker = startChallengeWorker()
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    worker.ask(
      { kind: 'find', source, wish },
      (answer) => {
        if (answer.kind === 'found') resolve(answer.text)
        else if (answer.kind === 'ended') reject(new Error(answer.failure ?? 'Nothing was found.'))
      },
      (message) => reject(new Error(message)),
    )
  }).finally(() => worker.end())
}
