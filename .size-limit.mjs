import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups, operatorGroups } from './scripts/size/groups.mjs'

// Chunk names carry hashes and move between chunks: the groups are read from the build's own manifest.
const pages = process.env.PAGES ?? 'dist'
const read = (app) => JSON.parse(readFileSync(join(pages, app, '.vite/manifest.json'), 'utf8'))
export default [...groups(read('web'), (file) => join(pages, 'web', file)), ...operatorGroups(read('console'), (file) => join(pages, 'console', file))]
