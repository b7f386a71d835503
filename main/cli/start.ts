// The command line begins here: what is loaded before the cache is there is compiled each time.
import { fileURLToPath } from 'node:url'
import { keepCompiledCode } from '../services/machine/compile-cache.ts'

keepCompiledCode(fileURLToPath(import.meta.url))
await import('./main.ts')
