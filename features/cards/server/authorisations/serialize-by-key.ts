const tailByKey = new Map<string, Promise<unknown>>()

/** One after another for a key: a storm on one card keeps one connection busy, not all of them. */
export function serializeByKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tailByKey.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const over = mine.then(
    () => undefined,
    () => undefined,
  )
  tailByKey.set(key, over)
  void over.then(() => {
    if (tailByKey.get(key) === over) tailByKey.delete(key)
  })
  return mine
}
