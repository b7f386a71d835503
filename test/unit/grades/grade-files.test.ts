import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { fillGradeFile, newGradeFile, type GradedPerson } from '../../../main/services/grades/lms/grade-file.ts'
import { cellsIn, harmless, withCells, written } from '../../../main/services/grades/lms/cells.ts'
import { readRoster } from '../../../main/services/people/roster-file.ts'
import { refusal } from '../../refusal.ts'

const ada: GradedPerson = {
  ...{ name: 'Ada Lovelace', email: 'ada@example.org', ids: { school: '0042', canvas: '901', login: 'ada' } },
  ...{ grade: '91.5', feedback: 'place 1 of 3' },
}
const bo: GradedPerson = { name: "Bo O'Neil", ids: { canvas: '902' }, grade: '-5', feedback: '' }
const cy: GradedPerson = { name: 'Cy Young', ids: {}, grade: '66.67', feedback: '' }
const students = [ada, bo, cy]
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** An export of Canvas: points possible, a test student, quotes where Canvas puts them, a column that is computed. */
const canvas = [
  'Student,ID,SIS User ID,SIS Login ID,Section,Quiz 1 (7001),Term grade (7002),Final Score',
  '    Points Possible,,,,,10.00,100.00,(read only)',
  '"Young, Cy",903,,cy,"S1, S2",7.00,,70.00',
  '"Lovelace, Ada",901,0042,ada,S1,"9,5",12.00,95.00',
  '"O\'Neil, Bo",902,,bo,S1,,,',
  '"Nobody, Ned",999,0099,ned,S1,1.00,33.00,10.00',
  '"Student, Test",1000,,test,S1,,,',
  '',
].join('\r\n')

describe('Canvas', () => {
  test('its own rows, ids and bytes are kept, and the column is filled by matching', () => {
    const { bytes, filled, unmatched, missing } = fillGradeFile(bytesOf(`\ufeff${canvas}`), {
      column: 'Term grade',
      students,
    })
    const expected = canvas
      .replace('"S1, S2",7.00,,70.00', '"S1, S2",7.00,66.67,70.00')
      .replace('"9,5",12.00,95.00', '"9,5",91.5,95.00')
      .replace('902,,bo,S1,,,', '902,,bo,S1,,-5,')
    expect(textOf(bytes)).toBe(`\ufeff${expected}`)
    expect(filled).toEqual(['Cy Young', 'Ada Lovelace', "Bo O'Neil"])
    expect(unmatched).toEqual(['Ned Nobody'])
    expect(missing).toEqual([])
    // It is read as a roster as before, and what is filled is filled again without a difference.
    expect(readRoster(bytes)).toEqual(readRoster(bytesOf(`\ufeff${canvas}`)))
    expect(fillGradeFile(bytes, { column: 'Term grade (7002)', students }).bytes).toEqual(bytes)
  })

  test.each<[string, ErrorCode]>([
    ['Final Score', 'grade-column-unfit'],
    ['Section', 'grade-column-unfit'],
    ['Term grades', 'grade-column-unknown'],
  ])('the column %s is refused', (column, code) => {
    expect(() => fillGradeFile(bytesOf(canvas), { column, students })).toThrow(refusal(code, `"${column}"`))
  })

  test('a file that is not one is refused', () => {
    for (const bytes of [
      bytesOf('Student,Grade\n"Ada,5'),
      bytesOf('Student,Grade\n"Ada"x,5'),
      new Uint8Array([0xc3, 0x28]),
    ])
      expect(() => fillGradeFile(bytes, { column: 'Grade', students })).toThrow(refusal('grade-file-invalid'))
  })
})

/** An export of Moodle's grader report as its manual shows it. */
const moodle = [
  'First name,Last name,ID number,Institution,Department,Email address,"Quiz: Week 1 (Real)","Assignment: Term (Real)","Course total (Real)","Last downloaded from this course"',
  'Ada,Lovelace,0042,"Liceo, Padova",,ada@example.org,9.00,-,9.00,1764300000',
  'Ned,Nobody,0099,,,ned@example.org,1.00,33.00,34.00,1764300000',
  'Cy,Young,,,,cy@example.org,-,-,-,1764300000',
  '',
].join('\n')

/** A download of Blackboard's grade centre, with the columns of an original course. */
const blackboard = [
  '"Last Name","First Name","Username","Student ID","Last Access","Availability","Weighted Total [Total Pts: up to 0 Score] |100","Term [Total Pts: 100 Score] |12345","Week 1 [Total Pts: 10 Score] |12346"',
  '"Lovelace","Ada","ada","0042","2026-11-27 10:00:00","Yes","","","9"',
  '"Nobody","Ned","ned","0099","2026-11-27 10:00:00","Yes","","33","1"',
  '"Young","Cy","cyoung","","2026-11-27 10:00:00","Yes","","",""',
  '',
].join('\r\n')

test.each([
  ['Moodle', moodle, 'Assignment: Term', [',9.00,-,9.00,', ',9.00,91.5,9.00,'], [',-,-,-,', ',-,66.67,-,']],
  ['Blackboard', blackboard, 'Term', ['"","","9"', '"","91.5","9"'], ['"Yes","","",""', '"Yes","","66.67",""']],
] as const)('an export of %s keeps each other byte, and stays the roster that it was', (_, text, column, ada, cy) => {
  const { bytes, filled, unmatched } = fillGradeFile(bytesOf(text), { column, students })
  expect(textOf(bytes)).toBe(text.replace(ada[0], ada[1]).replace(cy[0], cy[1]))
  expect([filled, unmatched]).toEqual([['Ada Lovelace', 'Cy Young'], ['Ned Nobody']])
  expect(readRoster(bytes)).toEqual(readRoster(bytesOf(text)))
  expect(readRoster(bytes).rows.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Ned Nobody', 'Cy Young'])
  expect(fillGradeFile(bytes, { column, students }).bytes).toEqual(bytes)
})

test('a label that a spreadsheet would take for a formula is guarded in a file that is filled', () => {
  const filledWith = (row: string) =>
    textOf(
      fillGradeFile(bytesOf(`Name,Grade\n${row}`), { column: 'Grade', students: [{ ...ada, grade: '=1+1' }] }).bytes,
    )
  expect(filledWith('Ada Lovelace,\n')).toBe("Name,Grade\nAda Lovelace,'=1+1\n")
  expect(filledWith('"Ada Lovelace","7"\n')).toBe('Name,Grade\n"Ada Lovelace","\'=1+1"\n')
})

test('Moodle: people are found by e-mail or ID number; spreadsheets with semicolons have decimal commas', () => {
  const header = 'Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Term (Real);Term (Feedback)'
  const text = `${header}\nAda;Lovelace;0042;ADA@example.org;-;"a;b"\nCy;Young;;;-;\n`
  const { bytes, missing } = fillGradeFile(bytesOf(text), { column: 'Term', students })
  expect(textOf(bytes)).toBe(`${header}\nAda;Lovelace;0042;ADA@example.org;91,5;"a;b"\nCy;Young;;;66,67;\n`)
  expect(missing).toEqual(["Bo O'Neil"])
})

test('Blackboard: tab-separated UTF-16 with a byte-order mark stays that', () => {
  const header = '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Term [Total Pts: 100 Score] |12345"'
  const row = (grade: string) => `\ufeff${header}\n"Lovelace"\t"Ada"\t"ada"\t"0042"\t"${grade}"\n`
  const wide = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
  const { bytes, filled } = fillGradeFile(wide(row('')), { column: 'Term', students })
  expect(bytes).toEqual(wide(row('91.5')))
  expect(filled).toEqual(['Ada Lovelace'])
})

test('a row is filled only if one student is meant: a namesake with another id, and ids of two people, are left', () => {
  const filledIn = (rows: string, who = students) =>
    fillGradeFile(bytesOf(`Name,Student ID,Login,Grade\n${rows}`), { column: 'Grade', students: who }).filled
  expect(filledIn('Ada Lovelace,,,')).toEqual(['Ada Lovelace'])
  expect(filledIn('Ada Lovelace,42,,')).toEqual([])
  expect(filledIn('Ada Lovelace,0042,ada,')).toEqual(['Ada Lovelace'])
  expect(filledIn('Ada Lovelace,0042,eve,', [ada, { ...cy, ids: { login: 'eve' } }])).toEqual([])
  expect(filledIn('Cy Young,,,', [cy, { ...cy }])).toEqual([])
  expect(filledIn('Ada Lovelace,,,\nAda Lovelace,,,')).toEqual(['Ada Lovelace'])
})

test('files of their own for Moodle and Blackboard are quoted, and read again as what they are', () => {
  const moodle = newGradeFile('moodle', { column: 'Term', students: [{ ...ada, grade: '-5', feedback: '=cmd|x' }] })
  expect(textOf(moodle.bytes)).toBe(
    '\ufeff"Email address","ID number","Term","Feedback comments"\r\n"ada@example.org","0042","-5","\'=cmd|x"\r\n',
  )
  const { bytes: blackboard } = newGradeFile('blackboard', { column: 'Term', students })
  expect(textOf(blackboard).split('\r\n')[0]).toBe('\ufeff"Username","Student ID","Term [Total Pts: 100 Score]"')
  expect(fillGradeFile(blackboard, { column: 'Term', students: [ada] }).bytes).toEqual(blackboard)
})

test('students whom an LMS cannot find are left out of a file of its own, and named', () => {
  const dee = { ...cy, name: 'Dee', email: 'dee@example.org' }
  const eve = { ...cy, name: 'Eve', ids: { login: 'eve' } }
  const made = (kind: 'moodle' | 'blackboard') => {
    const { bytes, filled, missing } = newGradeFile(kind, { column: 'Term', students: [ada, bo, cy, dee, eve] })
    return [textOf(bytes).trim().split('\r\n').length - 1, filled, missing]
  }
  expect(made('moodle')).toEqual([2, ['Ada Lovelace', 'Dee'], ["Bo O'Neil", 'Cy Young', 'Eve']])
  expect(made('blackboard')).toEqual([2, ['Ada Lovelace', 'Eve'], ["Bo O'Neil", 'Cy Young', 'Dee']])
})

test('a grade without a label leaves the cell as it is, and the student is named', () => {
  const below = [{ ...ada, grade: null }, bo]
  const text = 'Name,ID,Grade\nAda Lovelace,901,40\nNed Nobody,77,\n'
  const { bytes, ...told } = fillGradeFile(bytesOf(text), { column: 'Grade', students: below })
  expect(textOf(bytes)).toBe(text)
  expect(told).toEqual({ filled: [], unmatched: ['Ned Nobody'], missing: ["Bo O'Neil"], unlabelled: ['Ada Lovelace'] })
  expect(newGradeFile('moodle', { column: 'Grade', students: below })).toMatchObject({
    ...{ filled: [], missing: ["Bo O'Neil"], unlabelled: ['Ada Lovelace'] },
  })
})

test('a namesake gets no grade of another student, in whichever order the rows stand', () => {
  const filledIn = (header: string, rows: readonly string[], who: readonly GradedPerson[]) => {
    const text = [`${header},Grade`, ...rows.map((row) => `${row},`)].join('\n')
    return textOf(fillGradeFile(bytesOf(text), { column: 'Grade', students: who }).bytes)
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').at(-1))
  }
  // Known by e-mail address: the namesake's row is first, and alone.
  const mailed = { ...ada, ids: {} }
  const [stranger, own] = ['Ada Lovelace,ada2@example.org', 'Ada Lovelace,ada@example.org']
  expect(filledIn('Name,Email', [stranger, own], [mailed])).toEqual(['', '91.5'])
  expect(filledIn('Name,Email', [stranger], [mailed])).toEqual([''])
  // Known by the school's id, which the namesake's row lacks.
  const schooled = { ...cy, ids: { school: '7' } }
  expect(filledIn('Name,ID,SIS User ID', ['Cy Young,55,', 'Cy Young,56,7'], [schooled])).toEqual(['', '66.67'])
  // One identifier is theirs, another of the same kind is not.
  expect(filledIn('Name,SIS User ID,SIS Login ID', ['Ada Lovelace,9999,ada'], [ada])).toEqual([''])
  // Addresses change: an identifier counts more.
  expect(filledIn('Name,Email,SIS User ID', ['Ada Lovelace,new@example.org,0042'], [ada])).toEqual(['91.5'])
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', '+1'],
  ['-5', '-5'],
  ['-66.67', '-66.67'],
  ['-5,5', '-5,5'],
  ['-5+cmd', "'-5+cmd"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['B+', 'B+'],
])('%j is written as %j', (value, expected) => {
  expect(harmless(value)).toBe(expected)
})

test('cells know their places, quotes and line ends included', () => {
  const text = 'a,"b ""x"", c"\r\n,\rlast'
  const cells = cellsIn(text, ',')
  const records = 'records' in cells ? cells.records : []
  expect(records.map((record) => record.map(({ value }) => value))).toEqual([['a', 'b "x", c'], ['', ''], ['last']])
  expect(
    withCells(
      text,
      records.flat().map((cell) => ({ cell, written: text.slice(cell.start, cell.end) })),
    ),
  ).toBe(text)
  expect(written('a "b"', ',')).toBe('"a ""b"""')
})
