/** Work that arrives while a round trip is under way joins the next one. */
export interface Batcher<T, R> {
  add(item: T): Promise<R>
  /** Items without an answer yet. */
  readonly size: number
}

interface WaitingItem<T, R> {
  readonly item: T
  readonly answer: (value: R | Promise<never>) => void
}

/** `run` answers a list in its order, an item that it could not do with an error. At most `flights` at once, each of at most `most` items. */
export function createBatcher<T, R>(run: (items: readonly T[]) => Promise<readonly (R | Error)[]>, flights = 2, most = 500): Batcher<T, R> {
  let queue: WaitingItem<T, R>[] = []
  let flying = 0
  let size = 0
  let scheduled = false

  const fly = async (batch: readonly WaitingItem<T, R>[]) => {
    try {
      const answers = await run(batch.map((one) => one.item))
      for (const [i, one] of batch.entries()) {
        const answer = answers[i]!
        one.answer(answer instanceof Error ? Promise.reject(answer) : answer)
      }
    } catch (error) {
      for (const one of batch) one.answer(Promise.reject(error as Error))
    } finally {
      flying--
      size -= batch.length
      start()
    }
  }
  const start = () => {
    scheduled = false
    while (queue.length && flying < flights) {
      const batch = queue.slice(0, most)
      queue = queue.slice(most)
      flying++
      void fly(batch)
    }
  }
  return {
    add: (item) =>
      new Promise<R>((answer) => {
        size++
        queue.push({ item, answer })
        if (scheduled) return
        scheduled = true
        // The end of this turn: what came with the same read of the sockets goes together.
        setImmediate(start)
      }),
    get size() {
      return size
    },
  }
}
