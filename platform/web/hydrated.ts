import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False while the server draws a page and while the browser takes that drawing over, true ever after and on every page
 * that is drawn in the browser. Whatever only this browser knows (the query, the clock, the session) is shown once it is
 * true: the stores of session, theme and device are read the same way, so pages need this for the rest only.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
