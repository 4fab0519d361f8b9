import { removeStored, storeValue, readStored, toStoredKey } from '#platform/web/state/storage.ts'
import type { PendingMessage } from './thread.ts'

/** Prefix of the entries, one per message, so that two tabs do not overwrite each other's. */
const NAME = 'support.outbox.'

/** Reads unsent messages, which survive a reload and are cleared with the session, like all personal data. */
export function readPending(): PendingMessage[] {
  const found = listEntryNames().flatMap((name) => readEntry(name) ?? [])
  return found.sort((a, b) => a.at - b.at)
}

function listEntryNames(): string[] {
  try {
    const own = toStoredKey(NAME)
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(own))
      .map((key) => NAME + key.slice(own.length))
  } catch {
    return []
  }
}

function readEntry(name: string): PendingMessage | undefined {
  try {
    const { clientId, conversationId, text, at } = JSON.parse(readStored(name) ?? '{}') as PendingMessage
    return clientId && conversationId && text ? { clientId, conversationId, text, at: Number(at), state: 'unsent' } : undefined
  } catch {
    return undefined
  }
}

/** Stores new entries and removes deleted ones. */
export function storePending(before: readonly PendingMessage[], after: readonly PendingMessage[]): void {
  const ids = (list: readonly PendingMessage[]) => new Set(list.map(({ clientId }) => clientId))
  const [old, now] = [ids(before), ids(after)]
  for (const id of old) if (!now.has(id)) removeStored(NAME + id)
  for (const one of after) if (!old.has(one.clientId)) storeValue(NAME + one.clientId, JSON.stringify(one))
}

const DRAFT = 'support.draft.'

export function readDraft(place: string): string {
  return readStored(DRAFT + place) ?? ''
}

export function storeDraft(place: string, text: string): void {
  if (text.trim()) storeValue(DRAFT + place, text)
  else removeStored(DRAFT + place)
}
