import { z } from 'zod'

// First import of the program: the page's policy forbids the code that zod would otherwise generate.
z.config({ jitless: true })
