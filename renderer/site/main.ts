import { FINDINGS_MAX, findInPages, type Finding, type SearchedPage } from '../help/find.ts'
import './site.css'

/** The search of the documentation's pages. It needs no network: the texts are a script beside the pages. */
const up = document.body.dataset['up'] ?? ''
const field = document.querySelector<HTMLInputElement>('#site-search')!
const found = document.querySelector<HTMLElement>('#site-found')!
const results = document.querySelector<HTMLOListElement>('#site-results')!
const page = document.querySelectorAll<HTMLElement>('article, .neighbours')

let texts: Promise<readonly SearchedPage[]> | null = null

/** Loads the texts when the first search needs them. */
function loadTexts(): Promise<readonly SearchedPage[]> {
  texts ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${up}search-texts.js`
    script.addEventListener('load', () => {
      resolve((globalThis as unknown as { readonly documentation: readonly SearchedPage[] }).documentation)
    })
    script.addEventListener('error', () => {
      texts = null
      reject(new Error('The texts of the search could not be loaded.'))
    })
    document.head.append(script)
  })
  return texts
}

async function search(): Promise<void> {
  const wanted = field.value
  if (wanted.trim() === '') {
    show('', [])
    return
  }
  if (texts === null) found.textContent = 'Searching…'
  try {
    const findings = findInPages(await loadTexts(), wanted)
    // Another search may have begun in the meantime.
    if (field.value === wanted) show(sentence(wanted.trim(), findings.length), findings)
  } catch (error) {
    show((error as Error).message, [])
  }
}

function sentence(wanted: string, count: number): string {
  if (count === 0) return `No section contains all words of “${wanted}”.`
  if (count === FINDINGS_MAX) return `The first ${count} sections with all words of “${wanted}”:`
  return count === 1 ? `One section with all words of “${wanted}”:` : `${count} sections with all words of “${wanted}”:`
}

/** `text`: empty where nothing is searched, and the page is there again. */
function show(text: string, findings: readonly Finding[]): void {
  found.textContent = text
  results.replaceChildren(...findings.map(item))
  results.hidden = findings.length === 0
  for (const element of page) element.hidden = text !== ''
}

function item({ page: file, at, title, pageTitle, excerpt }: Finding): HTMLLIElement {
  const link = document.createElement('a')
  link.href = `${up}${file}${at === '' ? '' : `#${at}`}`
  link.textContent = title
  // A section of this page is shown by the same document.
  link.addEventListener('click', clear)
  const of = document.createElement('span')
  of.className = 'quiet small'
  of.textContent = title === pageTitle ? '' : pageTitle
  const text = document.createElement('p')
  text.className = 'quiet small breakable'
  text.textContent = excerpt
  const line = document.createElement('li')
  line.append(link, ' ', of, text)
  return line
}

function clear(): void {
  field.value = ''
  show('', [])
}

/** Up and down among the field and the links below it. */
function move(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const stops: readonly HTMLElement[] = [field, ...results.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (step === 0 || at < 0 || results.hidden) return
  event.preventDefault()
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
}

document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey, isComposing } = event
  if (isComposing || ctrlKey || metaKey || altKey) return
  const isTyping = target instanceof HTMLInputElement
  if (key === '/' && !isTyping) {
    event.preventDefault()
    field.focus()
    field.select()
  } else if (key === 'Escape' && field.value !== '') {
    clear()
    field.focus()
  } else if (key === 'Enter' && target === field) {
    results.querySelector('a')?.click()
  } else move(event)
})

/** Keys scroll what is wider than the page, so it can have the focus; the rest cannot. */
function markScrolling(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-scrolls]')) {
    const scrolls = box.scrollWidth > box.clientWidth
    box.classList.toggle('whole', !scrolls)
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', box.dataset['scrolls'] ?? ''],
    ] as const)
      if (scrolls) box.setAttribute(name, value)
      else box.removeAttribute(name)
  }
}

field.closest<HTMLElement>('[role="search"]')!.hidden = false
field.addEventListener('input', () => void search())
const sizes = new ResizeObserver(markScrolling)
for (const box of document.querySelectorAll('[data-scrolls]')) {
  sizes.observe(box)
  // Its width changes when fonts arrive.
  if (box.firstElementChild !== null) sizes.observe(box.firstElementChild)
}
// The browser may have kept the words of a search.
window.addEventListener('pageshow', () => void search())
