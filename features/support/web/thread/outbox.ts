import { forget, keep, kept, storedKey } from '#platform/web/state/storage.ts'
import type { Pending } from './thread.ts'

/** One entry a message, so that two tabs do not overwrite each other's. */
const NAME = 'support.outbox.'

/** Messages that were not sent yet outlive a reload; they go with the session, as everything that is kept for a person. */
export function keptPending(): Pending[] {
  const found = names().flatMap((name) => read(name) ?? [])
  return found.sort((a, b) => a.at - b.at)
}

function names(): string[] {
  try {
    const own = storedKey(NAME)
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(own))
      .map((key) => NAME + key.slice(own.length))
  } catch {
    return []
  }
}

function read(name: string): Pending | undefined {
  try {
    const { clientId, conversationId, text, at } = JSON.parse(kept(name) ?? '{}') as Pending
    return clientId && conversationId && text ? { clientId, conversationId, text, at: Number(at), state: 'unsent' } : undefined
  } catch {
    return undefined
  }
}

/** Writes what is new and removes what is gone. */
export function keepPending(before: readonly Pending[], after: readonly Pending[]): void {
  const ids = (list: readonly Pending[]) => new Set(list.map(({ clientId }) => clientId))
  const [old, now] = [ids(before), ids(after)]
  for (const id of old) if (!now.has(id)) forget(NAME + id)
  for (const one of after) if (!old.has(one.clientId)) keep(NAME + one.clientId, JSON.stringify(one))
}

const DRAFT = 'support.draft.'

export function keptDraft(place: string): string {
  return kept(DRAFT + place) ?? ''
}

export function keepDraft(place: string, text: string): void {
  if (text.trim()) keep(DRAFT + place, text)
  else forget(DRAFT + place)
}
