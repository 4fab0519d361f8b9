import { useEffect, useState } from 'react'

/** True once the page is scrolled past the element marked `data-banner`; pages without one are past it from the start. */
export function usePastBanner(path: string): boolean {
  const [past, setPast] = useState(path !== '/')
  useEffect(() => {
    if (path !== '/') {
      setPast(true)
      return
    }
    const check = () => {
      const banner = document.querySelector('[data-banner]')
      setPast(banner ? banner.getBoundingClientRect().bottom < 60 : scrollY > 600)
    }
    check()
    addEventListener('scroll', check, { passive: true })
    return () => removeEventListener('scroll', check)
  }, [path])
  return past
}
