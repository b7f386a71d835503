import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { keyText } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { checkDossier } from '../../../main/services/evidence/check-dossier.ts'
import { sectionsOf } from '../../../main/services/evidence/rule-texts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { noPython, pythonExit, pythonVerdicts } from './python-verifier.ts'
import { sampleDossier, sampleFiles, sampleKey } from './sample-dossier.ts'

/** Words that would be more than words if anything took them for more. */
const evil = `<script>alert(1)</script><img src=x onerror="alert(2)">'" --><style>*{display:none}</style>\u202egnp\u001b[31m &amp;`
const files = await sampleFiles(sampleDossier(evil))
const page = Buffer.from(files.get('index.html')!).toString('utf8')

test('the page shows hostile words as they are, and runs and loads nothing', () => {
  const tags = new Set([...page.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag))
  for (const tag of ['script', 'img', 'iframe', 'link', 'object', 'form']) expect(tags).not.toContain(tag)
  expect(page.match(/<style>/g)).toHaveLength(1)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  for (const sign of ['\u202e', '\u001b']) expect(page).not.toContain(sign)
  expect(page).toContain('\\u{202e}gnp\\u{1b}[31m &amp;amp;')
})

test('its policy permits its own style and nothing else', () => {
  const style = /<style>([^]*?)<\/style>/.exec(page)![1]!
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ])
  // Before anything that it is for.
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'))
})

test('a dossier with hostile words is genuine all the same', () => {
  const known = new Map([[keyText(sampleKey.publicKey), 'the class']])
  expect(checkDossier(files, { known, games: (id) => games.get(id) }).verdict).toBe('genuine')
})

test.skipIf(noPython !== null)('verify.py does not pass them on to the terminal (needs python3)', () => {
  const { codes, said } = pythonVerdicts(files, [{}], keyText(sampleKey.publicKey))
  expect(codes).toEqual([0])
  for (const sign of ['\u202e', '\u001b']) expect(said).not.toContain(sign)
})

test.skipIf(noPython !== null)('verify.py tells trouble of the machine from a forgery (needs python3)', () => {
  const folder = temporaryFolder('dossier')
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const key = join(folder, 'other.pub')
  writeFileSync(join(folder, 'Łódź.txt'), '')
  expect(pythonExit([folder, '--key', keyText(sampleKey.publicKey)], 'ascii')).toBe(0)
  writeFileSync(key, Buffer.from([0xff, 0xfe]))
  expect(pythonExit([folder, '--key', key], 'utf-8')).toBe(2)
})

test('the sections of a rulebook below its title are its rules', () => {
  const text =
    '# The rules\n\nIntroduction.\n\n## Rule 1. Aim\n\nWin.\n<!-- project -->\nMore.\n\n## Empty\n\n### Rule 2. Part\n\n1. One\n'
  expect(sectionsOf(text).map(({ title }) => title)).toEqual(['Rule 1. Aim', 'Rule 2. Part'])
  expect(sectionsOf(text)[0]).toEqual({
    rule: 'Rule 1. Aim',
    title: 'Rule 1. Aim',
    text: 'Rule 1. Aim\n\nWin.\n\nMore.\n',
  })
})
