import { useEffect, type RefObject } from 'react'
import type { Article } from '../../help/blocks.ts'

/** Whether an article was shown before: the first one is where the reader arrived, and focus stays at the page's beginning. */
let moved = false

/**
 * An address with an anchor leads to its heading, also when the article came after the address was opened. Otherwise
 * focus goes to the title of an article that was opened from another page, so that a keyboard goes on from there.
 */
export function useFollowHash(article: Article, title: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const heading = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
    heading?.scrollIntoView()
    const target = heading ?? (moved && document.activeElement === document.body ? title.current : null)
    target?.focus({ preventScroll: true })
    moved = true
  }, [article, title])
}
