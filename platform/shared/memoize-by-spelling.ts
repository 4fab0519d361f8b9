const MAX_NAMES = 2_000
const MAX_NAME_LENGTH = 64

/**
 * Caches a result by a name's spelling, because clients and servers use few. Long names, and those after the first 2,000, are not cached.
 */
export function memoizeBySpelling<T extends {}>(meaningOf: (name: string) => T | undefined): (name: string) => T | undefined {
  const known = new Map<string, T>()
  return (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const meaning = meaningOf(name)
    if (meaning !== undefined && name.length <= MAX_NAME_LENGTH && known.size < MAX_NAMES) known.set(name, meaning)
    return meaning
  }
}
