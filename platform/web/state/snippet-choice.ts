import { create } from 'zustand'
import { storeValue, readStored } from './storage.ts'

const KEY = 'snippet'
const YEAR_MS = 31_536_000_000

/**
 * The user's preferred language of code samples, used by every code block that has it. Created empty and set at once, for hydration (see
 * hydrated.ts).
 */
const useStore = create<{ readonly id: string | undefined }>(() => ({ id: undefined }))
if (typeof document !== 'undefined') useStore.setState({ id: readStored(KEY) })

export function useSnippetChoice(): readonly [string | undefined, (id: string) => void] {
  return [useStore((state) => state.id), storeChoice]
}

function storeChoice(id: string): void {
  storeValue(KEY, id, YEAR_MS)
  useStore.setState({ id })
}
