import type { StudyReply, Checked, StudyRequest, Wanted, Wish } from './messages.ts'

/** Sends one request at a time; a new request replaces a pending one. `end` cancels it. */
export interface Student {
  ask(question: StudyRequest, listener: (answer: StudyReply) => void, broken: (message: string) => void): void
  end(): void
}

function createStudent(): Student {
  let worker: Worker | null = null
  function end(): void {
    worker?.terminate()
    worker = null
  }
  return {
    ask(question, listener, broken) {
      worker ??= new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
      const mine = worker
      mine.onmessage = ({ data }: MessageEvent<StudyReply>) => listener(data)
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
  student: Student = createStudent(),
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
    student.ask(
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
    end: () => student.end(),
  }
}

/** Starts making samples. Returns a function that stops it. */
export function takeSamples(
  source: string,
  wanted: Wanted,
  listener: (answer: Exclude<StudyReply, { kind: 'checked' | 'found' }>) => void,
): () => void {
  const student = createStudent()
  student.ask(
    { kind: 'sample', source, ...wanted },
    (answer) => {
      if (answer.kind === 'checked' || answer.kind === 'found') return
      listener(answer)
      if (answer.kind === 'ended') student.end()
    },
    (message) => listener({ kind: 'ended', failure: message }),
  )
  return () => student.end()
}

/** The text of a requested object. Rejects with the signal's reason, or with an error that says why there is none. */
export function lookFor(source: string, wish: Wish, signal: AbortSignal): Promise<string> {
  const student = createStudent()
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    student.ask(
      { kind: 'find', source, wish },
      (answer) => {
        if (answer.kind === 'found') resolve(answer.text)
        else if (answer.kind === 'ended') reject(new Error(answer.failure ?? 'No solution was found.'))
      },
      (message) => reject(new Error(message)),
    )
  }).finally(() => student.end())
}
