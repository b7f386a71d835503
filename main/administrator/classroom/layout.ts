/**
 * How a part of a data folder travels in archives and backups of its class.
 * - moment: taken; such parts name one another, so all of them are copied in one turn
 * - taken: taken afterwards, since nothing in it changes without another name, or it only grows
 * - rebuilt: left out, because the program makes it from the others
 * - stays: left out, because it belongs to this machine, this run of the program or another class
 */
type Travel = 'moment' | 'taken' | 'rebuilt' | 'stays'

/** Each file and folder in a data folder. A part that is missing here is in no archive, and a test fails. */
export const dataLayout: Readonly<Record<string, Travel>> = {
  'class.json': 'moment',
  'people.db': 'moment',
  'gradebook.json': 'moment',
  receipts: 'moment',
  cases: 'moment',
  'handed-in': 'taken',
  keys: 'taken',
  agents: 'taken',
  components: 'taken',
  challenges: 'taken',
  texts: 'taken',
  comments: 'taken',
  dossiers: 'taken',
  trials: 'taken',
  practice: 'taken',
  arenas: 'taken',
  contests: 'taken',
  'recovered.txt': 'taken',
  // Repeats entries of class.json, for the case that it is lost.
  'class-records': 'rebuilt',
  // Former forms of class.json, with people who have been removed since.
  'class-copies': 'stays',
  'address.json': 'stays',
  'address.sock': 'stays',
  'holder.json': 'stays',
  lock: 'stays',
  port: 'stays',
  'tartaglia-scratch': 'stays',
  // Its transactions are in the copy of people.db.
  'people.db-shm': 'stays',
  'people.db-wal': 'stays',
  // Classes of earlier years, which have archives of their own.
  earlier: 'stays',
  // Older versions wrote them.
  backups: 'stays',
  cluster: 'stays',
}

/** The parts that travel in one of these ways, in the order of the layout. */
export const partsThat = (...ways: readonly Travel[]): readonly string[] =>
  Object.entries(dataLayout).flatMap(([name, way]) => (ways.includes(way) ? [name] : []))
