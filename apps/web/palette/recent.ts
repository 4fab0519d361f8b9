import { storeValue, readStored } from '#platform/web/state/storage.ts'

const STORAGE_NAME = 'recent'
const MAX_RECENT = 4
const YEAR_MS = 31_536_000_000

/** Commands used last, newest first. Ids only: nothing about models or orders is kept. */
export function listRecentCommands(): readonly string[] {
  return (readStored(STORAGE_NAME) ?? '').split(',').filter(Boolean)
}

export function rememberCommand(id: string): void {
  if (id.includes(':')) return
  storeValue(STORAGE_NAME, [id, ...listRecentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT).join(','), YEAR_MS)
}
