import type { News } from '../../main/contract/people/student-home.ts'
import { may } from '../caller.svelte.ts'
import { call, CallFailure, subscribe } from '../connection/client.ts'
import { reportFailure } from '../connection/resource.svelte.ts'
import { showFailure, showNews } from '../parts/states/toasts.svelte.ts'
import { newsWords } from '../screens/class/home-words.ts'

/** News are asked for at most once in this time, in ms: a running contest reports changes all the time. */
const WAIT = 5_000

/** A piece of news that a student is told of wherever they are. */
export interface Notice {
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** The notice of a piece of news; null: their home shows it, and that is enough. */
function noticeOf(news: News): Notice | null {
  switch (news.what) {
    case 'hand-in':
      return news.state === 'failed' ? { tone: 'bad', text: newsWords(news) } : null
    case 'over':
    case 'extension':
      return { tone: 'good', text: `${news.title}: ${newsWords(news)}` }
    case 'case':
      return { tone: 'bad', text: `${news.title}: ${newsWords(news)}` }
    case 'announced':
      return null
  }
}

/** Those of the news that are not known yet, the oldest first; they are known afterwards. */
export function unknownNotices(known: Set<string>, news: readonly News[]): readonly Notice[] {
  return news.toReversed().flatMap((each) => {
    const notice = noticeOf(each)
    const key = `${each.at} ${notice?.text ?? ''}`
    if (notice === null || known.has(key)) return []
    known.add(key)
    return [notice]
  })
}

/** True if this browser can show notices outside of the page. */
export const canNotify = (): boolean => 'Notification' in globalThis

/** Shows notices to a student from now on, in the page and, if they allow it, by the browser. Returns the end of it. */
export function followNotices(): () => void {
  if (!may('student.news')) return () => undefined
  const known = new Set<string>()
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | null = null
  const ask = async (): Promise<void> => {
    timer = null
    try {
      const { news } = await call('student.news', { since: null })
      const notices = unknownNotices(known, news)
      // Their home has those that are older than this page.
      if (!isFirst) notices.forEach(show)
      isFirst = false
    } catch (failure) {
      if (!(failure instanceof CallFailure && failure.code === 'forbidden')) reportFailure(failure)
    }
  }
  const touched = (): void => {
    timer ??= setTimeout(() => void ask(), isFirst ? 0 : WAIT)
  }
  /** The first value tells nothing new, and one after a lost connection may. */
  const afterFirst = (): (() => void) => {
    let isNews = false
    return () => {
      if (isNews) touched()
      isNews = true
    }
  }
  const ends = [subscribe('agents', afterFirst()), subscribe('status', afterFirst()), subscribe('cases', afterFirst())]
  touched()
  return () => {
    for (const end of ends) end()
    if (timer !== null) clearTimeout(timer)
  }
}

function show({ tone, text }: Notice): void {
  if (tone === 'bad') showFailure(text)
  else showNews(text)
  // A page that is looked at needs no second message.
  if (canNotify() && Notification.permission === 'granted' && document.hidden)
    new Notification('Tartaglia', { body: text })
}
