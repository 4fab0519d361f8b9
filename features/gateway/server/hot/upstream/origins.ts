/** Pool of connections to one origin. */
interface PooledOrigin {
  /** Looks at the clock for all of its connections. */
  look(now: number): void
  /** Connections that are open. */
  size(): number
  close(): void
}

export interface OriginPool<O extends PooledOrigin> {
  /** Opened on first use. */
  of(address: string): O
  /** Sees to it that the clock is looked at often enough for a wait of so many milliseconds. */
  wake(timeoutMs: number): void
  isClosed(): boolean
  close(): void
}

/** Origins by address, and one timer for all of their connections; none while there are none. `lookMs`: at least this often. */
export function createOriginPool<O extends PooledOrigin>(open: (address: string) => O, lookMs: number): OriginPool<O> {
  const origins = new Map<string, O>()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let every = Infinity

  const tick = (): void => {
    const now = Date.now()
    let size = 0
    for (const origin of origins.values()) {
      origin.look(now)
      size += origin.size()
    }
    if (size > 0) return
    clearInterval(timer)
    timer = undefined
    every = Infinity
  }

  return {
    of(address) {
      let origin = origins.get(address)
      if (origin === undefined) origins.set(address, (origin = open(address)))
      return origin
    },
    wake(timeoutMs) {
      const wanted = Math.max(10, Math.min(lookMs, timeoutMs / 4))
      if (timer !== undefined && wanted >= every) return
      clearInterval(timer)
      every = wanted
      timer = setInterval(tick, every).unref()
    },
    isClosed: () => closed,
    close() {
      closed = true
      clearInterval(timer)
      for (const origin of origins.values()) origin.close()
    },
  }
}
