const MAX_NAMES = 2_000
const MAX_NAME_LENGTH = 64

/** Remembers what a name means by its spelling: clients and servers use few. Long ones, and those beyond the first 2,000, are worked out each time. */
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
