import type { Plugin } from 'vite'

/** The screen that most people see first; its address is the empty one. */
const screen = 'screens/class/class.svelte'

/** A Vite plugin: the page asks for the scripts of the first screen at once, and not only when its own script has run. */
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
        for (const { fileName, facadeModuleId } of chunks) if (facadeModuleId?.endsWith(screen) === true) want(fileName)
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
