import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder that exists; nothing of packages or builds. */
export function walk(folder: string): string[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // a room that is not built yet
  }
  return entries.flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })
}

export const isTest = (path: string): boolean => /\.(test|bench)\.tsx?$/.test(path)
