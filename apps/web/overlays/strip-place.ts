import { useEffect } from 'react'

/** Page group that shares a strip height: public pages, and those behind the sign-in. */
export type StripPlace = 'site' | 'console'

/** Sources that have not reported yet: until both have, boot.js reserves the last known height of the strips. */
const unheard = new Set(['maintenance', 'announcements'])
let place: StripPlace | undefined

/** Records that a source has reported. Once both have, the reserved height becomes the actual one. */
export function heardStrip(name: 'maintenance' | 'announcements'): void {
  if (!unheard.delete(name) || unheard.size > 0) return
  // React has rendered it two frames later
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.documentElement.style.removeProperty('--strip')
      note()
    }),
  )
}

/** Stores `width:height` in pixels for boot.js. */
function note(): void {
  const strip = document.getElementById('strip')
  if (!strip || !place || unheard.size > 0) return
  const { height } = strip.getBoundingClientRect()
  try {
    if (height > 0) localStorage.setItem(`mx.strip.${place}`, `${innerWidth}:${height}`)
    else localStorage.removeItem(`mx.strip.${place}`)
  } catch {
    // Without storage the page moves when a strip appears.
  }
}

/** Tracks the strips' height here, so that the next page load can reserve it. */
export function useStripPlace(here: StripPlace): void {
  useEffect(() => {
    place = here
    const strip = document.getElementById('strip')
    if (!strip) return
    const seen = new ResizeObserver(note)
    seen.observe(strip)
    return () => seen.disconnect()
  }, [here])
}
