import { useLayoutEffect, useReducer } from 'react'
import type { RefObject } from 'react'

/**
 * Call the returned function together with the change that marks fields as invalid: the first of them gets the focus in the same commit,
 * never later, when the user may already be typing elsewhere.
 */
export function useFirstWrong(form: RefObject<HTMLElement | null>): () => void {
  const [asked, ask] = useReducer((times: number) => times + 1, 0)
  useLayoutEffect(() => {
    if (asked) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, form])
  return ask
}
