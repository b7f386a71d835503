import * as z from 'zod'

// Must be the first import: the page's policy forbids the code that zod would otherwise generate.
z.config({ jitless: true })
