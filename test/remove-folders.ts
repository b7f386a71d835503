import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './temporary-folder.ts'

// Before every test file, so that this hook is the last one: hooks of an end run in the reverse order.
afterAll(removeTemporaryFolders)
