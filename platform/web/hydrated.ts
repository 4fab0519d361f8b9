import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * What only this browser knows (the query, the clock), `undefined` while the browser takes over what the server drew, and `value` ever after
 * and on every page that is drawn in the browser. The stores of session, theme and device are read the same way, so pages need this for
 * the rest only. A page whose drawing was right, because the value is `undefined`, is not drawn again.
 */
export function useOnceHydrated<V>(value: V | undefined): V | undefined {
  return useSyncExternalStore(
    never,
    () => value,
    () => undefined,
  )
}
