import { setFlags } from './flags.ts'
import { readFlags } from './read-flags.ts'

const PATH = '/features.yaml'

/** Fetches the file, bypassing the cache. */
export async function loadFlags(): Promise<void> {
  try {
    const reply = await fetch(PATH, { cache: 'no-store', credentials: 'omit' })
    if (!reply.ok) return
    const file = await reply.text()
    const named = (flags: Readonly<Record<string, boolean>>, value: boolean) => new Set(Object.keys(flags).filter((name) => flags[name] === value))
    setFlags(named(readFlags(file), false), named(readFlags(file, 'gradual'), true))
  } catch {
    // Unreachable: keep the previous flags; at first, everything is on.
  }
}
