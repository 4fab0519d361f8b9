import { useEffect, useState } from 'react'

const HEADER = 60

/** True once the page is scrolled past the element marked `data-banner`; pages without one are past it from the start. */
export function usePastBanner(path: string): boolean {
  const landing = path === '/'
  const [past, setPast] = useState(!landing)
  useEffect(() => {
    if (!landing) {
      setPast(true)
      return
    }
    const check = () => {
      const banner = document.querySelector('[data-banner]')
      setPast(banner ? banner.getBoundingClientRect().bottom < HEADER : scrollY > 600)
    }
    check()
    addEventListener('scroll', check, { passive: true })
    addEventListener('resize', check)
    return () => {
      removeEventListener('scroll', check)
      removeEventListener('resize', check)
    }
  }, [landing])
  return landing ? past : true
}
