import { afterRuling } from '../../../main/contract/contests/ruling-words.ts'
import type { Practice, PracticeMatch } from '../../../main/contract/people/practice.ts'
import type { News, OwnAgent, Placing, WeakPosition } from '../../../main/contract/people/student-home.ts'
import { count, moment, number, ordinal } from '../../words.ts'
import { activeWhere } from '../agents/active-versions.ts'
import { stateWords } from '../hand-in/hand-in-words.ts'

/** The state of an agent's newest version, and which one plays if that is another. */
export function playsWords({ newest, plays }: Pick<OwnAgent, 'newest' | 'plays'>): string {
  const state = `Version ${number(newest.number)}: ${activeWhere(newest, [newest])}.`
  if (plays === newest.number) return state
  return plays === null ? state : `${state} Version ${number(plays)} plays for your team.`
}

/** The place in a contest: "2nd of 8", or "2nd of 8 after ruling 3". */
export function placeWords({ rank, of, afterRuling: ruling }: Pick<Placing, 'rank' | 'of' | 'afterRuling'>): string {
  const place = `${ordinal(rank)} of ${number(of)}`
  return ruling === undefined ? place : `${place} ${afterRuling(ruling)}`
}

/** The direction between the two newest contests that are over, by the part of the class before the agent; '': not known. */
export function trendWords(placings: readonly Placing[]): string {
  const [last, before] = placings.filter(({ isOver }) => isOver)
  if (last === undefined || before === undefined) return ''
  const part = ({ rank, of }: Placing): number => (of < 2 ? 0 : (rank - 1) / (of - 1))
  const change = part(last) - part(before)
  if (change === 0) return 'As before.'
  return change < 0 ? `Better than the ${placeWords(before)} before.` : `Worse than the ${placeWords(before)} before.`
}

/** The part of the matches in which a version did worse. */
export function partWords({ kind, part }: Pick<WeakPosition, 'kind' | 'part'>): string {
  if (kind === 'opponent') return `Against ${part}`
  return kind === 'seat' ? `In ${part}` : `With ${part}`
}

/** Both results: "0.4 a match in 5 matches, 0.8 in 6 before". */
export function differenceWords({ now, before }: Pick<WeakPosition, 'now' | 'before'>): string {
  return `${number(now.mean)} a match in ${count(now.matches, 'match', 'matches')}, ${number(before.mean)} in ${number(before.matches)} before`
}

/** A piece of news in a sentence, without the title of its contest. */
export function newsWords(news: News): string {
  switch (news.what) {
    case 'hand-in': {
      const { label, text } = stateWords(news)
      return `${news.file} was handed in by ${news.by ?? 'an educator'}. ${label}: ${text}`
    }
    case 'extension':
      return `Your team may hand in until ${moment(news.until)}.`
    case 'over':
      return ['It is over.', ...news.places.map((place) => `${place.agent} is ${placeWords(place)}.`)].join(' ')
    case 'announced':
      return 'It was announced.'
    case 'case':
      return `A complaint was filed against ${news.agent}: ${news.case}.`
  }
}

/** The budget of the day: "7 of 20 practice matches left today." */
export function practiceBudgetWords({ left, perDay }: Pick<Practice, 'left' | 'perDay'>): string {
  return `${number(left)} of ${count(perDay, 'practice match', 'practice matches')} left today.`
}

/** The state of a practice match: a short label, and its result in a sentence; '' while there is none. */
export function practiceStateWords({ state, text }: Pick<PracticeMatch, 'state' | 'text'>): {
  readonly tone: 'good' | 'bad' | 'weak' | 'info'
  readonly label: string
  readonly text: string
} {
  const words = {
    waiting: { tone: 'info', label: 'Waiting', more: '' },
    played: { tone: 'good', label: 'Played', more: '' },
    failed: { tone: 'bad', label: 'Fails', more: '' },
    void: { tone: 'weak', label: 'Not played', more: ' It does not count against the budget.' },
  } as const
  const { tone, label, more } = words[state]
  return { tone, label, text: `${text ?? ''}${more}`.trim() }
}
