import { useEffect, useRef, type RefObject } from 'react'

/** Calls `onMore` when the returned element comes within 50 px of the view (product.md 2.9). */
export function useInfiniteScroll(onMore: () => void, enabled: boolean): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(onMore)
  useEffect(() => {
    latest.current = onMore
  })
  useEffect(() => {
    const element = end.current
    if (!element || !enabled) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current()
      },
      { rootMargin: '50px' },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [enabled])
  return end
}
