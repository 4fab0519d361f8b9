import { useTexts } from '#platform/web/i18n.ts'
import { Button } from './button.tsx'
import { uiTexts } from './texts.ts'
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Calls `onMore` when the returned element comes within 50 px of the view (product.md 2.9). */
function useInfiniteScroll(onMore: () => void, enabled: boolean): RefObject<HTMLDivElement | null> {
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

interface ListEndProps {
  readonly hasMore: boolean
  readonly loading: boolean
  readonly onMore: () => void
}

/** End of a list: loads the next page on approach (or by button) and shows when there are no more rows. */
export function ListEnd({ hasMore, loading, onMore }: ListEndProps) {
  const t = useTexts(uiTexts)
  const end = useInfiniteScroll(onMore, hasMore && !loading)
  return (
    <div ref={end} className="flex min-h-14 items-center justify-center py-4 text-13 text-fg-3" role="status">
      {loading ? (
        <span className="late inline-flex items-center gap-2">
          <span className="spinner" aria-hidden="true" />
          {t('loading')}
        </span>
      ) : hasMore ? (
        <Button variant="ghost" size="sm" onClick={onMore}>
          {t('loadMore')}
        </Button>
      ) : (
        t('noMore')
      )}
    </div>
  )
}
