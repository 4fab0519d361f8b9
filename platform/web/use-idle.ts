import { useEffect, useState } from 'react'

const WAIT_MS = 300

/** True once the page has had time for its critical work; Safari has no idle callback and waits 300 ms. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const done = () => setIdle(true)
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(done, WAIT_MS)
      return () => clearTimeout(timer)
    }
    const asked = requestIdleCallback(done, { timeout: 2_000 })
    return () => cancelIdleCallback(asked)
  }, [])
  return idle
}
