import { useEffect } from 'react'
import { create } from 'zustand'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { accountContract } from '../contract.ts'
import { userAccountApi } from './account-api.ts'

type Options = ReplyOf<(typeof accountContract)['signInOptions']>

const useStore = create<{ readonly options: Options | undefined }>(() => ({ options: undefined }))
let isLoading = false

/** Which ways to sign in the operator has on; asked once a page. Undefined while unknown: the forms work without it. */
export function useSignInOptions(): Options | undefined {
  const options = useStore((state) => state.options)
  useEffect(() => {
    if (options || isLoading) return
    isLoading = true
    userAccountApi
      .signInOptions()
      .then((found) => useStore.setState({ options: found }))
      .catch(() => undefined)
      .finally(() => {
        isLoading = false
      })
  }, [options])
  return options
}
