import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * Returns a browser-only value (query, clock): `undefined` during hydration, `value` afterwards and on every page rendered in the browser. The stores
 * of session, theme and device work the same way, so pages need this for the rest only. A page is not rendered again if the value is `undefined`.
 */
export function useOnceHydrated<V>(value: V | undefined): V | undefined {
  return useSyncExternalStore(
    never,
    () => value,
    () => undefined,
  )
}
