import { useEffect, type RefObject } from 'react'

/** `--seen-height`: what the keyboard of a phone leaves of the window. */
export function useVisibleHeight(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const measure = () => {
      box.current?.style.setProperty('--seen-height', `${Math.round(seen.height)}px`)
      box.current?.style.setProperty('top', matchMedia('(max-width: 720px)').matches ? `${Math.round(seen.offsetTop)}px` : '')
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [box])
}
