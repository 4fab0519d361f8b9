import { useLayoutEffect, useReducer } from 'react'
import type { RefObject } from 'react'

/**
 * Call what this returns together with the change that marks fields as wrong: the cursor goes into the first of them in the
 * very commit that shows it, never later, when the reader may already be typing somewhere else.
 */
export function useFirstWrong(form: RefObject<HTMLElement | null>): () => void {
  const [asked, ask] = useReducer((times: number) => times + 1, 0)
  useLayoutEffect(() => {
    if (asked) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, form])
  return ask
}
