// `npm start`: sets up, builds, and opens the classroom.
import { openClassroom } from './open-classroom.mjs'
import { entry } from './setup.mjs'

await entry(() => openClassroom(process.argv.slice(2)))
