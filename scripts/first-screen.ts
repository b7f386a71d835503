import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

const inRenderer = (file: string): string => fileURLToPath(new URL(`../renderer/${file}`, import.meta.url))
/** The screens that people see first: the address is the empty one, and most people of a class are students. */
const screens = ['screens/class/class.svelte', 'screens/class/student-home.svelte'].map(inRenderer)

/** A Vite plugin: the page asks for the scripts of the first screens at once, and not only when its own script has run. */
export function firstScreen(): Plugin {
  return {
    name: 'first-screen',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, filename }) {
        // The page to sign in leads to it, and loads nothing of it.
        if (!filename.endsWith('index.html')) return []
        const chunks = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [each] : []))
        const wanted = new Set<string>()
        const want = (file: string): void => {
          if (wanted.has(file)) return
          wanted.add(file)
          for (const other of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) want(other)
        }
        for (const { fileName, moduleIds } of chunks)
          if (screens.some((screen) => moduleIds.includes(screen))) want(fileName)
        const missing = [...wanted].filter((file) => !html.includes(file))
        return missing.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}

/**
 * The modules of the first screens are one chunk, and those of them that the page to sign in needs too are another. Forty small ones
 * take longer: over HTTP/1.1 a browser asks for six at a time.
 */
export function firstScreenChunks(): Rolldown.CodeSplittingGroup[] {
  let known: { readonly first: ReadonlySet<string>; readonly signIn: ReadonlySet<string> } | undefined
  const chunkOf = (id: string, graph: Rolldown.ChunkingContext): string | null => {
    known ??= {
      first: reachedFrom(graph, [inRenderer('main.ts'), ...screens]),
      signIn: reachedFrom(graph, [inRenderer('sign-in.ts')]),
    }
    if (!known.first.has(id)) return null
    return known.signIn.has(id) ? 'shared' : 'first'
  }
  const named = (chunk: string) => (id: string, graph: Rolldown.ChunkingContext) =>
    chunkOf(id, graph) === chunk ? chunk : null
  // The first group takes what its modules import, too: nothing but its own.
  return [
    { name: named('shared'), priority: 2 },
    { name: named('first'), priority: 1 },
  ]
}

/** The modules with everything that they import at once. */
function reachedFrom(graph: Rolldown.ChunkingContext, modules: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const reach = (id: string): void => {
    if (reached.has(id)) return
    reached.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(reach)
  }
  modules.forEach(reach)
  return reached
}
