import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups } from './scripts/size/groups.mjs'

// Chunk names carry hashes and move between chunks: the groups are read from the build's own manifest.
const pages = process.env.PAGES ?? 'dist/web'
export default groups(JSON.parse(readFileSync(join(pages, '.vite/manifest.json'), 'utf8')), (file) => join(pages, file))
