import { useEffect } from 'react'

/** Pages differ in what stands above them: public ones, and those behind the sign-in. */
export type StripPlace = 'site' | 'console'

/** Nobody knows yet what stands above the page: boot.js keeps the place of what stood there last. */
const unheard = new Set(['maintenance', 'announcements'])
let place: StripPlace | undefined

/** What one of them says is known. When both are, the place is as high as what stands in it. */
export function heardStrip(name: 'maintenance' | 'announcements'): void {
  if (!unheard.delete(name) || unheard.size > 0) return
  // React has drawn it by the frame after the next
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.documentElement.style.removeProperty('--strip')
      note()
    }),
  )
}

/** For boot.js: `width:height` in pixels. */
function note(): void {
  const strip = document.getElementById('strip')
  if (!strip || !place || unheard.size > 0) return
  const { height } = strip.getBoundingClientRect()
  try {
    if (height > 0) localStorage.setItem(`mx.strip.${place}`, `${innerWidth}:${height}`)
    else localStorage.removeItem(`mx.strip.${place}`)
  } catch {
    // Nothing is kept: the page moves when a strip comes.
  }
}

/** Remembers how high the strips are here, for the next page that begins. */
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
