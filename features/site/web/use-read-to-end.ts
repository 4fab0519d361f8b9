import { useEffect, useState, type RefObject } from 'react'

/** True once the mark has been in view while `open`; a text that is short enough counts at once. Forgotten when closed. */
export function useReadToEnd(mark: RefObject<Element | null>, open: boolean): boolean {
  const [read, setRead] = useState(false)
  useEffect(() => {
    if (!open) {
      setRead(false)
      return
    }
    let watcher: IntersectionObserver | undefined
    // the dialog draws its content a frame after it opens
    const frame = requestAnimationFrame(() => {
      if (!mark.current) return
      watcher = new IntersectionObserver((seen) => {
        if (seen.some((one) => one.isIntersecting)) setRead(true)
      })
      watcher.observe(mark.current)
    })
    return () => {
      cancelAnimationFrame(frame)
      watcher?.disconnect()
    }
  }, [mark, open])
  return read
}
