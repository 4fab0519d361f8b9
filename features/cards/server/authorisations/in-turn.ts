const lines = new Map<string, Promise<unknown>>()

/** One after another for a key: a storm on one card keeps one connection busy, not all of them. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const over = mine.then(
    () => undefined,
    () => undefined,
  )
  lines.set(key, over)
  void over.then(() => {
    if (lines.get(key) === over) lines.delete(key)
  })
  return mine
}
