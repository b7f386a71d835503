import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { messageModel } from '../../../main/contract/game/message-model.ts'
import { either, list, record, words } from '../../../main/contract/game/program-messages.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { emitters } from '../../../main/services/agents/kit-code/emitters.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { environment, hasTool, shell } from './compilers.ts'

// Texts and names of a description of messages that would end a comment or a text of the code which is made of it. A program in each
// language reads a message and writes it again.

const folder = temporaryFolder('hostile-texts')

/** Ends of comments and texts, escapes, and parts of a text that a language fills in. */
const text = 'C:\\users\\new \\u000a */ /* // """ \'\'\' " \' ` ${x} #{x} {x} %d ??/ <!-- # \\'
const texts = [
  text,
  '/ at first, and """',
  'a "quoted" text, \0 and "at the end"',
  `two\nlines, \r\n\u2028 and ${text}`,
]

const Way = words('Way', texts[0]!, ['up\\down', 'left*/right', '"""north"""', 'self'])
const Note = record('Note', texts[1]!, {
  type: z.literal('note\\"*/'),
  'back\\slash': z.int().describe(texts[0]!),
  'three """ marks': z.string().describe(texts[1]!),
  'end */ of': list(Way, texts[2]!),
  class: z.string().describe(texts[3]!),
  fields: z.boolean().describe(text),
  json: z.number().nullable().describe(text),
  '2 "lines"\nlong': z.string().exactOptional().describe(text),
  wait: z.literal(true).exactOptional().describe(text),
})
const Other = record('Other', texts[2]!, {
  type: z.literal('other'),
  from: z.string().exactOptional().describe(text),
  JSON: z.int().exactOptional().describe(text),
})
const described = {
  form: 'lines' as const,
  told: either('Told', texts[3]!, [Note, Other]),
  said: either('Said', text, [Note, Other]),
}
const model = messageModel('hostile', `A title */ with ${text}`, described)

const note = {
  type: 'note\\"*/',
  'back\\slash': 7,
  'three """ marks': text,
  'end */ of': ['up\\down', 'left*/right', '"""north"""', 'self'],
  class: texts[3]!,
  fields: true,
  json: 1.5,
  '2 "lines"\nlong': '',
  wait: true,
} as const
const messages = [
  note,
  { ...note, json: null, fields: false },
  { type: 'other' },
  { type: 'other', from: text, JSON: 1 },
]

/** A program that reads and writes a message per line, and how it is built and started. */
interface Echo {
  readonly kit: KitName
  readonly tool: string
  readonly file: string
  readonly source: string
  /** The files of the kits that it needs. */
  readonly shared: readonly string[]
  readonly build: string
  readonly start: string
}

const echoes: readonly Echo[] = [
  {
    ...{ kit: 'go', tool: 'go', file: 'echo.go', shared: ['tartaglia.go', 'go.mod'] },
    ...{ build: 'go build -o echo .', start: './echo' },
    source: `package main
import ("bufio"; "fmt"; "os")
func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(write(readTold(parse(lines.Text())).(Said).JSON()))
	}
}`,
  },
  {
    ...{ kit: 'java', tool: 'javac', file: 'Echo.java', shared: ['Json.java'] },
    build: 'javac -J-XX:TieredStopAtLevel=1 -encoding UTF-8 *.java',
    start: 'java -XX:TieredStopAtLevel=1 -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 Echo',
    source: `class Echo {
    public static void main(String[] arguments) throws Exception {
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, "UTF-8"));
        for (var line = in.readLine(); line != null; line = in.readLine())
            System.out.println(Json.write(((Said) Told.read(Json.parse(line))).json()));
    }
}`,
  },
  {
    ...{ kit: 'cpp', tool: 'g++', file: 'echo.cpp', shared: ['fields.hpp', 'json.hpp', 'json-text.hpp'] },
    build: 'g++ -std=c++17 -Wall -Wextra -Werror -Wno-comment -O0 -o echo echo.cpp',
    start: './echo',
    source: `#include "messages.hpp"
#include <iostream>
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        hostile::Told told;
        from_json(tartaglia::Json::parse(line), told);
        std::visit([](const auto &each) { std::cout << to_json(each).print() << std::endl; }, told);
    }
}`,
  },
  {
    ...{ kit: 'rust', tool: 'rustc', file: 'echo.rs', shared: ['fields.rs', 'json.rs', 'json_text.rs'] },
    ...{ build: 'rustc --edition 2021 -o echo echo.rs', start: './echo' },
    source: `#![allow(dead_code, unused_imports)]
mod fields; mod json; mod json_text; mod messages; mod messages_json;
use fields::{FromJson, ToJson};
fn main() {
    for line in std::io::stdin().lines() {
        let told = messages::Told::from_json(&json::Json::parse(&line.unwrap()).unwrap()).unwrap();
        println!("{}", match told {
            messages::Told::Note(each) => each.to_json(),
            messages::Told::Other(each) => each.to_json(),
        });
    }
}`,
  },
]

for (const { kit, tool, file, source, shared, build, start } of echoes)
  test.skipIf(!hasTool(tool))(
    `messages with hostile texts and names are read and written in ${kit} (needs ${tool})`,
    () => {
      const home = written(kit)
      for (const each of shared) copyFileSync(join(kits, kit, each), join(home, each))
      writeFileSync(join(home, file), source)
      shell(home, build)
      const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
      const { status, stdout, stderr } = spawnSync('sh', ['-c', start], {
        cwd: home,
        input,
        encoding: 'utf8',
        env: environment,
      })
      expect([status, stderr]).toEqual([0, ''])
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(messages)
    },
  )

const kits = fileURLToPath(new URL('../../../agents/kits/shared/', import.meta.url))

/** A folder with the types in the language of a kit. */
function written(kit: KitName): string {
  const home = join(folder, kit)
  mkdirSync(home)
  for (const [name, code] of emitters[kit](model)) writeFileSync(join(home, name), code)
  return home
}

test('they are types in TypeScript and JavaScript', () => {
  const file = join(written('typescript'), 'check.ts')
  const values = messages.map((message) => JSON.stringify(message)).join(', ')
  // The first line is an error: the types accept no other message.
  const lines = [`const none: Told = { type: 'none' }`, `const all: Told[] = [${values}]`]
  writeFileSync(file, `${lines.join('\n')}\nimport type { Told } from './messages.d.ts'\nexport { all, none }\n`)
  const options = { strict: true, noEmit: true, allowImportingTsExtensions: true, types: [], lib: ['lib.es5.d.ts'] }
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
  expect(problems.map((problem) => [problem.start, problem.messageText])).toEqual([
    [expect.any(Number), expect.stringContaining('"none"')],
  ])
  expect(emitters.javascript(model)).toEqual(emitters.typescript(model))
})

test.skipIf(!hasTool('python3'))('they are types and documentation in Python (needs python3)', () => {
  const home = written('python')
  const source = `import json, messages as m
print(json.dumps([sorted(m.Note.__annotations__), list(m.Way.__args__), m.Note.__doc__, m.Other.__doc__]))`
  const { stdout, stderr } = spawnSync('python3', ['-c', source], { cwd: home, encoding: 'utf8', env: environment })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([Object.keys(note).toSorted(), Way.options, texts[1], texts[2]])
})

test.each([
  ['fields', z.strictObject({ max_rounds: z.int(), maxRounds: z.int() }).meta({ title: 'Alike' })],
  ['words', words('Alike', 'Words.', ['left-right', 'left right'])],
  ['numbers', words('Alike', 'Words.', ['n2', '2'])],
])('%s that would have one name in code are refused', (_, alike) => {
  const told = either('Told', 'Messages.', [record('One', 'A message.', { type: z.literal('one'), alike })])
  expect(() => messageModel('hostile', 'Hostile', { form: 'lines', told, said: told })).toThrow('one name in code')
})
