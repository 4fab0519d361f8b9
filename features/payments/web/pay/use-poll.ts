import { useCallback, useEffect, useRef } from 'react'

/** Polling intervals: product.md 2.9. */
export const POLL_MS = 2000

/**
 * Polls while the page is visible: one request in flight, the next two seconds after its response. Returning to the page (tab, back button)
 * polls at once. Returns a function that polls now and resolves with that response.
 */
export function usePoll(ask: (signal: AbortSignal) => Promise<void>, active: boolean, untilMs: number | undefined): () => Promise<void> {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  const flying = useRef<{ done: Promise<void>; stop: AbortController }>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const now = useCallback((): Promise<void> => {
    if (flying.current) return flying.current.done
    const stop = new AbortController()
    const done = latest
      .current(stop.signal)
      .catch(() => undefined)
      .finally(() => {
        if (flying.current?.stop === stop) flying.current = undefined
      })
    flying.current = { done, stop }
    return done
  }, [])

  useEffect(() => {
    if (!active) return
    let over = false
    const again = () => {
      clearTimeout(timer.current)
      if (over || document.visibilityState === 'hidden' || (untilMs !== undefined && Date.now() > untilMs)) return
      timer.current = setTimeout(() => void now().then(again), POLL_MS)
    }
    const seen = () => {
      if (document.visibilityState === 'visible') void now().then(again)
    }
    again()
    document.addEventListener('visibilitychange', seen)
    addEventListener('pageshow', seen)
    return () => {
      over = true
      clearTimeout(timer.current)
      flying.current?.stop.abort()
      document.removeEventListener('visibilitychange', seen)
      removeEventListener('pageshow', seen)
    }
  }, [active, untilMs, now])
  return now
}
