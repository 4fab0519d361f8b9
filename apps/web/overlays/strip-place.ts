import { useEffect } from 'react'

/** Page group that shares a strip height: public pages, and those behind the sign-in. */
export type StripPlace = 'site' | 'console'

/** Sources that have not reported yet: until both have, boot.js reserves the last known height of the strips. */
const pendingSources = new Set(['maintenance', 'announcements'])
let currentPlace: StripPlace | undefined

/** Records that a source has reported. Once both have, the reserved height becomes the actual one. */
export function markStripReported(name: 'maintenance' | 'announcements'): void {
  if (!pendingSources.delete(name) || pendingSources.size > 0) return
  // React has rendered it two frames later.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.documentElement.style.removeProperty('--strip')
      storeStripHeight()
    }),
  )
}

/** Stores `width:height` in pixels for boot.js. */
function storeStripHeight(): void {
  const strip = document.getElementById('strip')
  if (!strip || !currentPlace || pendingSources.size > 0) return
  const { height } = strip.getBoundingClientRect()
  try {
    if (height > 0) localStorage.setItem(`mx.strip.${currentPlace}`, `${innerWidth}:${height}`)
    else localStorage.removeItem(`mx.strip.${currentPlace}`)
  } catch {
    // Without storage the page moves when a strip appears.
  }
}

/** Tracks the strips' height here, so that the next page load can reserve it. */
export function useStripPlace(here: StripPlace): void {
  useEffect(() => {
    currentPlace = here
    const strip = document.getElementById('strip')
    if (!strip) return
    const seen = new ResizeObserver(storeStripHeight)
    seen.observe(strip)
    return () => seen.disconnect()
  }, [here])
}
