import type { Answers } from './answers.ts'

/** ms between two events of a match. */
const PACE = 7

/** True for students of whom one has signed in: the member of the panel, whom the lot draws anew in each term that is made. */
const isDrawn = (name: string): boolean => name !== 'Ada Lovelace' && name !== 'Oskar Weiss'

/**
 * Pictures say nothing of the machine and the day on which they were taken: neither its folders and disk, the scripts for which it has letters,
 * nor the time its agents took, the isolation it allows and the key of the class. Only one has the tour.
 */
export const anywhere: Answers = {
  'settings.get': (_, real) => ({
    ...real,
    dataFolder: '/home/you/.local/share/tartaglia',
    backupFolder: '/home/you/.local/share/tartaglia-backups',
    tourSeen: true,
  }),
  'home.get': (_, real) => {
    const home = JSON.parse(JSON.stringify(real).replaceAll('王小明', 'Wang Xiaoming')) as typeof real
    const students = home.students.map((each) =>
      isDrawn(each.name) ? { ...each, access: 'no-code' as const, seen: null } : each,
    )
    return { ...home, students, disk: { free: 62e9, total: 250e9 } }
  },
  'people.list': (_, real) => ({
    ...real,
    people: real.people.map((each) =>
      each.role === 'student' && isDrawn(each.name)
        ? { ...each, codeUntil: null, hasPassword: false, seen: null }
        : each,
    ),
  }),
  'contests.get': (_, real) => (real.isolation === null ? real : { ...real, isolation: 'bubblewrap' }),
  'receipts.head': (_, real) => ({ ...real, head: real.head === '' ? '' : '85d58522'.repeat(8) }),
  'matches.events': ({ offset = 0 }, real) => ({
    ...real,
    items: real.items.map((event, index) => ({ ...event, at: PACE * (offset + index + 1) })),
  }),
  'matches.outline': (_, real) => ({ ...real, at: real.at.map((__, index) => PACE * (real.from + index + 1)) }),
}
