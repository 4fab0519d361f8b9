import { keep, kept } from '#platform/web/state/storage.ts'

const NAME = 'recent'
const COUNT = 4
const YEAR_MS = 31_536_000_000

/** Commands used last, newest first. Ids only: nothing about models or orders is kept. */
export function recentCommands(): readonly string[] {
  return (kept(NAME) ?? '').split(',').filter(Boolean)
}

export function rememberCommand(id: string): void {
  if (id.includes(':')) return
  keep(NAME, [id, ...recentCommands().filter((other) => other !== id)].slice(0, COUNT).join(','), YEAR_MS)
}
