// Must be the first import: the page's policy forbids the code that zod would otherwise generate. zod itself is loaded after the
// first screen, so this is the object that it takes its settings from.
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig ??= {}
shared.__zod_globalConfig.jitless = true
