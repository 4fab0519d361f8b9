import { useEffect, type RefObject } from 'react'
import type { Article } from '../../help/blocks.ts'

/** True after the first article was shown. The first one keeps focus at the start of the page, where the reader arrived. */
let hasShownArticle = false

/**
 * Scrolls to the heading in the address, also if the article loads later. Otherwise focuses
 * the title of an article opened from another page, so that keyboard users continue there.
 */
export function useFollowHash(article: Article, title: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const heading = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
    heading?.scrollIntoView()
    const target = heading ?? (hasShownArticle && document.activeElement === document.body ? title.current : null)
    target?.focus({ preventScroll: true })
    hasShownArticle = true
  }, [article, title])
}
