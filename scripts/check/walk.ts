import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lists every file below a folder, if it exists; skips packages and builds. */
export function walk(folder: string): string[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // A room that is not built yet.
  }
  return entries.flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })
}

export const isTest = (path: string): boolean => /\.(test|bench)\.tsx?$/.test(path)
