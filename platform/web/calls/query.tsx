import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createQueryClient } from './query-client.ts'
import { onSessionEnd } from '../state/session.ts'

export const queryClient = createQueryClient()

/** Clears the cache on a change of account, so that another user's data never appears. */
onSessionEnd(() => queryClient.clear())

/** Wraps the console and the dialogs in one shared cache. The landing page omits it to stay light. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
