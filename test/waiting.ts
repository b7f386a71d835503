/**
 * Files that mostly wait, for limits to pass and for other programs: by the table of seconds they take a core for less than half of their
 * time. More of them than there are cores run at a time, after all others.
 */
export const waiting = [
  'test/conformance/{cluster,network,toys}/*.test.ts',
  'test/conformance/cops/person.test.ts',
  'test/conformance/haggle/{sessions,tournament}.test.ts',
  'test/conformance/service/{arena,build-time,human-matches}.test.ts',
  'test/conformance/specker/programs.test.ts',
  'test/conformance/verbs/kept-contests.test.ts',
  'test/hostile/adversary/{files-of-others,traces}.test.ts',
  'test/hostile/arenas/{crowds,doors,native,network}.test.ts',
  'test/hostile/{cluster,portal}/*.test.ts',
  'test/hostile/contests/{soak,villains}.test.ts',
  'test/hostile/packages/bundler.test.ts',
  'test/hostile/players/{computing,half-made,limits,packages,programs,realm,seat-limits,shared,spawner,time-bank}.test.ts',
  'test/unit/specker/asynchronous-referee.test.ts',
]
