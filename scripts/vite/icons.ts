import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ID = 'virtual:icons'
const IMPORT = /import\s*\{([^}]*)\}\s*from 'lucide-react'/g

/** Names of all icons that the pages import, without their local names and types. */
export function listIconImports(source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .flatMap((match) => match[1]!.split(','))
    .map((part) => part.trim().split(/\s+as\s+/)[0]!)
    .filter((name) => /^[A-Z]/.test(name))
}

function collectIcons(folder: string, rooms: readonly string[]): string[] {
  const files = rooms.flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules') && !/(^|[/\\])server[/\\]/.test(name))
      .map((name) => join(folder, room, name)),
  )
  return [...new Set(files.flatMap((file) => listIconImports(readFileSync(file, 'utf8'))))].sort()
}

/** The module `virtual:icons`: every icon in use, for the page /test-icon. Generated, so that no icon is missing. */
export function createIconsPlugin(folder: string, rooms = ['apps/web', 'features', 'platform/web', 'ui']) {
  return {
    name: 'icons-in-use',
    resolveId: (id: string) => (id === ID ? `\0${ID}` : undefined),
    load: (id: string) => (id === `\0${ID}` ? `export { ${collectIcons(folder, rooms).join(', ')} } from 'lucide-react'` : undefined),
  }
}
