// `npm start`: everything that it takes, then the main job: the sample contest.
import { launch } from './launch.mjs'
import { entry } from './setup.mjs'

await entry(() => launch(['contest', 'run', 'sample', ...process.argv.slice(2)]))
