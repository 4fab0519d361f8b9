import { useCallback, useEffect, useRef } from 'react'

/** Specification 2, section 9. */
export const POLL_MS = 2000

/**
 * Asks again and again while the page is seen: one question in flight, the next two seconds after its answer. Coming back to
 * the page (tab, back button) asks at once. Returns "ask now", which resolves when that answer is in.
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
