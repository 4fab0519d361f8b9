/**
 * Concurrent calls with the same path and body. A repeated read cancels the older request, which may have missed a change
 * since; its callers get the newer response. A change is never sent twice: the second call waits for the first. Payments and polling are exempt.
 */
interface PendingCall {
  readonly reply: Promise<unknown>
  readonly stop: AbortController
}

const pendingCalls = new Map<string, PendingCall>()

/** `action` begins with the method. `go` must reject when its signal is aborted. */
export async function callLatest<T>(action: string, go: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const known = pendingCalls.get(action)
  if (known && !action.startsWith('GET ')) return rejectOnAbort(known.reply as Promise<T>, signal)
  const stop = new AbortController()
  const reply = go(stop.signal)
  const mine: PendingCall = { reply, stop }
  pendingCalls.set(action, mine)
  known?.stop.abort()
  const leave = () => {
    // Others may wait for a newer call of the same kind, but only this caller waits for this one.
    if (pendingCalls.get(action) === mine) pendingCalls.delete(action)
    stop.abort(signal?.reason)
  }
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave)
  try {
    return await reply
  } catch (error) {
    if (!stop.signal.aborted || signal?.aborted) throw error
    return await awaitLatest(action, go, signal)
  } finally {
    signal?.removeEventListener('abort', leave)
    if (pendingCalls.get(action) === mine) pendingCalls.delete(action)
  }
}

/**
 * Waits for the newest call. Repeats the call itself only if there is none because its caller cancelled it: two followers that both repeated at once
 * would cancel each other.
 */
async function awaitLatest<T>(action: string, go: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const newest = pendingCalls.get(action)
    if (!newest) return callLatest(action, go, signal)
    try {
      return await rejectOnAbort(newest.reply as Promise<T>, signal)
    } catch (error) {
      if (!newest.stop.signal.aborted || signal?.aborted) throw error
    }
  }
}

function rejectOnAbort<T>(reply: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return reply
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'))
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
