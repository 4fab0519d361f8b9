import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createQueryClient } from './query-client.ts'
import { onSessionEnd } from '../state/session.ts'

export const queryClient = createQueryClient()

/** Another person's data must never flash up after a change of account. */
onSessionEnd(() => queryClient.clear())

/** The console and the dialogs stand in it; the landing page does without, to stay light. One cache for all. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
