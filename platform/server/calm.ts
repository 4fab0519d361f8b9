import type { Deps } from './feature.ts'
import type { Setting } from './settings.ts'

/** These settings as they are now, read before a transaction: inside one, reading them wants a second connection, and a burst of transactions that all want one waits for itself. */
export async function calm(deps: Deps, entries: readonly Setting<any>[]): Promise<Deps> {
  const values = new Map<string, unknown>()
  for (const entry of entries) values.set(entry.key, await deps.settings.get<unknown>(entry))
  const { settings } = deps
  return {
    ...deps,
    settings: {
      get: async <T>(entry: Setting<T>) => (values.has(entry.key) ? (values.get(entry.key) as T) : settings.get(entry)),
      set: settings.set,
    },
  }
}
