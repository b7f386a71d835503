import { describe, expect, test } from 'vitest'
import { readRoster } from '../../../main/services/people/roster-file.ts'

const read = (text: string) => readRoster(new TextEncoder().encode(text))
const people = (text: string) => {
  const { rows, problems } = read(text)
  expect(problems).toEqual([])
  return rows.map(({ line: _, ...person }) => person)
}
const refused = expect.objectContaining({ kind: 'usage', code: 'roster-invalid' }) as unknown

describe('a roster', () => {
  test('of Canvas has names in the order in which they are said, and neither maximum points nor the test student', () => {
    const text =
      'Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (41)\n' +
      '"    Points Possible",,,,,10.00\n' +
      '"Lovelace, Ada",1201,007,ada,"Logic, Monday",9\n' +
      '"García Márquez, Gabriel",1202,008,gabriel,"Logic, Monday",\n' +
      'Plato,1203,009,plato,Logic,5\n' +
      '"Student, Test",1204,,b3f0,Logic,\n'
    expect(people(text)).toEqual([
      { name: 'Ada Lovelace', ids: { canvas: '1201', school: '007', login: 'ada' }, section: 'Logic, Monday' },
      {
        name: 'Gabriel García Márquez',
        ids: { canvas: '1202', school: '008', login: 'gabriel' },
        section: 'Logic, Monday',
      },
      { name: 'Plato', ids: { canvas: '1203', school: '009', login: 'plato' }, section: 'Logic' },
    ])
  })

  test('of Canvas may have split names, and a row on how grades are posted', () => {
    const text =
      'LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Homework 1 (41)\n' +
      ',,,,,,Manual Posting\n' +
      '    Points Possible,,,,,,10.00\n' +
      'Lovelace,Ada,1201,007,ada,Logic,9\n' +
      'Student,Test,1204,,b3f0,Logic,\n'
    expect(people(text)).toEqual([
      { name: 'Ada Lovelace', ids: { canvas: '1201', school: '007', login: 'ada' }, section: 'Logic' },
    ])
  })

  test.each([
    ['First name,Last name,ID number,Email address\nAda,Lovelace,007,ada@school.example\n', '\uFEFF'],
    ['Vorname;Nachname;ID-Nummer;E-Mail-Adresse\r\nAda;Lovelace;007;ada@school.example\r\n', '\uFEFF'],
    ["Prénom,Nom,Numéro d'identification,Adresse de courriel\nAda,Lovelace,007,ada@school.example", ''],
  ])('of Moodle has the headers of its language, and zeros that lead: %j', (text, mark) => {
    expect(people(mark + text)).toEqual([{ name: 'Ada Lovelace', email: 'ada@school.example', ids: { school: '007' } }])
  })

  test('of Blackboard has tabs and UTF-16, and its points are not read', () => {
    const text =
      '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Weighted Total [Total Pts: 10 Score] |7"\n' +
      '"Ωμέγα"\t"Άννα"\t"anna"\t"00012"\t"7"\n'
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    const bigEndian = Buffer.from(bytes).swap16()
    const expected = [{ line: 2, name: 'Άννα Ωμέγα', ids: { login: 'anna', school: '00012' } }]
    expect(readRoster(bytes)).toEqual({ rows: expected, problems: [] })
    expect(readRoster(bigEndian).rows).toEqual(expected)
  })

  test('of names alone has one a line, in six scripts', () => {
    const names = ['Ada Lovelace', 'Николай Лобачевский', '王貞儀', 'مریم میرزاخانی', 'श्रीनिवास रामानुजन्', '岡潔']
    expect(people(`${names.join('\n')}\n\n`).map(({ name }) => name)).toEqual(names)
  })

  test('has roles by the words of learning platforms', () => {
    const words = ['Student', 'Learner', 'Non-editing teacher', 'TA', 'Teacher', 'guest', '']
    const text = `name,role\n${words.map((word, i) => `N${i},${word}`).join('\n')}`
    expect(people(text).map(({ role = null }) => role)).toEqual([
      ...['student', 'student', 'assistant', 'assistant', 'educator', 'guest'],
      null,
    ])
  })

  test.each([
    ['a name that turns text around', 'Ada \u202Eecalevol,a@b.example'],
    ['a name with a terminal escape', 'Ada\u001b[31m,a@b.example'],
    ['no name', ' ,a@b.example'],
    ['a name of 201 characters', `${'x'.repeat(201)},a@b.example`],
    ['an address that is not one', 'Ada,nobody'],
    ['a role that does not exist', 'Ada,a@b.example,king'],
  ])('names the line of %s, and reads the others', (_, line) => {
    const { rows, problems } = read(`name,email,role\nBert,bert@b.example,\n${line}\nCarla,carla@b.example,\n`)
    expect(rows.map(({ name }) => name)).toEqual(['Bert', 'Carla'])
    expect(problems.map((problem) => problem.line)).toEqual([3])
  })

  test.each([
    ['nothing', ''],
    ['a header alone', 'name,email\n'],
    ['no column for names', 'colour,size\nred,7\n'],
    ['a quotation mark out of place', 'name,email\nA"da,a@b.example\n"Bert,b@b.example\n'],
    ['a column called like a member of every object', 'constructor,toString\na,b\n'],
    ['10,001 people', `name\n${Array.from({ length: 10_001 }, (_, i) => `N${i}`).join('\n')}`],
  ])('is refused: %s', (_, text) => {
    expect(() => read(text)).toThrow(refused as Error)
  })

  test('is refused in another encoding', () => {
    expect(() => readRoster(Buffer.from('name\nG\xf6del\n', 'latin1'))).toThrow(refused as Error)
  })
})
