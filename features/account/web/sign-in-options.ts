import { useEffect } from 'react'
import { create } from 'zustand'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { accountContract } from '../contract.ts'
import { userAccountApi } from './account-api.ts'

type Options = ReplyOf<(typeof accountContract)['signInOptions']>

const useStore = create<{ readonly options: Options | undefined }>(() => ({ options: undefined }))
let isLoading = false

/** Sign-in methods enabled by the operator; requested once per page. Undefined while loading: the forms work without it. */
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
