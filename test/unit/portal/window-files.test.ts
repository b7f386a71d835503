import fastify from 'fastify'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addWindowFiles, isDocs } from '../../../main/portal/window-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('window-files')
const app = fastify()
beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), 'window')
  writeFileSync(join(folder, 'assets/a-1.js'), 'plain')
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync('packed'))
  writeFileSync(join(folder, 'assets/b-2.js.br'), brotliCompressSync('alone'))
  writeFileSync(join(folder, 'assets/secret.json'), 'secret')
  mkdirSync(join(folder, 'help/games'), { recursive: true })
  writeFileSync(join(folder, 'help/index.html'), 'contents')
  writeFileSync(join(folder, 'help/games/cows.html'), 'cows')
  writeFileSync(join(folder, 'help/secret.json'), 'secret')
  writeFileSync(join(folder, 'other.html'), 'other')
  addWindowFiles(app, folder)
})
afterAll(() => app.close())

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5', 'br'],
  ['BR', 'br'],
  ['gzip, br;q=0', undefined],
  ['br;q=0.0', undefined],
  ['brotli', undefined],
  ['gzip', undefined],
  [undefined, undefined],
])('a browser that takes %s gets the encoding %s', async (encoding, expected) => {
  const { statusCode, headers, rawPayload } = await get('/assets/a-1.js', encoding)
  expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([200, expected, 'Accept-Encoding'])
  const text = expected === undefined ? rawPayload : brotliDecompressSync(rawPayload)
  expect(text.toString()).toBe(expected === undefined ? 'plain' : 'packed')
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test.each([
  '/assets/a-1.js.br',
  '/assets/secret.json',
  '/assets',
  '/assets/',
  '/a-1.js',
  '//index.html',
  '/index.html/',
  '/other.html',
  '/help/secret.json',
  '/help/games/',
  '/help/../other.html',
])('%s is not a file of the window', async (url) => expect((await get(url)).statusCode).toBe(404))

test('the pages of the documentation are served, their contents under the name of the folder too', async () => {
  const bodies = ['/help/', '/help/index.html', '/help/games/cows.html?from=elsewhere'].map(async (url) => {
    const { body, headers } = await get(url)
    return [body, headers['content-type']]
  })
  const html = 'text/html; charset=utf-8'
  expect(await Promise.all(bodies)).toEqual([
    ['contents', html],
    ['contents', html],
    ['cows', html],
  ])
})

test('anybody may read the documentation, and nothing else', () => {
  const open = (url: string, method = 'GET'): boolean => isDocs({ method, url })
  for (const url of ['/help/', '/help/games/cows.html?a=b', '/help/search-texts.js', '/help/hearings/verify-case.py'])
    expect([url, open(url), open(url, 'HEAD'), open(url, 'POST')]).toEqual([url, true, true, false])
  for (const url of [
    '/',
    '/help',
    '/help/../index.html',
    '/help/%2e%2e/index.html',
    '/help//index.html',
    '/help/.x.html',
  ])
    expect([url, open(url)]).toEqual([url, false])
  for (const url of ['/helper/index.html', '/x/help/index.html', '/help/secret.json', '/help/..%2findex.html'])
    expect([url, open(url)]).toEqual([url, false])
})

test('a file that is there in its packed form alone is unpacked for a browser that wants it whole', async () => {
  const { body, headers } = await get('/assets/b-2.js', 'gzip')
  expect([body, headers['content-encoding']]).toEqual(['alone', undefined])
  expect(brotliDecompressSync((await get('/assets/b-2.js', 'br')).rawPayload).toString()).toBe('alone')
})

test('a file that was read is served without the disk', async () => {
  const first = await get('/?from=elsewhere')
  expect([first.body, first.headers['cache-control'], first.headers.vary]).toEqual([
    'window',
    undefined,
    'Accept-Encoding',
  ])
  rmSync(join(folder, 'index.html'))
  expect((await get('/index.html', 'br')).body).toBe('window')
  expect((await app.inject({ method: 'HEAD', url: '/' })).headers['content-length']).toBe('6')
})
