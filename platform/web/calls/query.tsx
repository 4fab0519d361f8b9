import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError } from './api-error.ts'
import { onSessionEnd } from '../state/session.ts'

/** Calls already repeat themselves once on a lost connection; a refusal is an answer and is never asked twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, gcTime: 300_000, refetchOnWindowFocus: true, retry: (count, error) => !isApiError(error) && count < 1 },
    mutations: { retry: false },
  },
})

/** Another person's data must never flash up after a change of account. */
onSessionEnd(() => queryClient.clear())

/** The console and the dialogs stand in it; the landing page does without, to stay light. One cache for all. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
