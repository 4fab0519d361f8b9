import { lazy, Suspense, useEffect, useRef, useState } from 'react'

const PriceTable = lazy(() => import('./price-table.tsx').then((m) => ({ default: m.PriceTable })))

/** The table and its call are loaded when the reader comes near; without a price list there is nothing to show. */
export function Prices() {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: '400px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={place}>
      {near ? (
        <Suspense>
          <PriceTable />
        </Suspense>
      ) : null}
    </div>
  )
}
