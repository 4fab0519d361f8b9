import { useQuery } from '@tanstack/react-query'
import { createApi } from '#platform/web/calls/api.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { registrationContract } from '../contract.ts'
import { registrationErrors } from '../errors.ts'
import { registrationTexts } from '../texts.ts'

export const registrationApi = createApi(registrationContract, { alone: true, errors: registrationErrors, texts: registrationTexts })
/** Poll interval: an operator takes minutes, not seconds. */
const POLL_INTERVAL_MS = 5_000

export const useRegistrationCount = () =>
  useQuery({ queryKey: ['registration', 'count'], queryFn: ({ signal }) => registrationApi.openaiCount({}, { signal }), refetchInterval: 60_000 })
export const useCurrentRegistration = () =>
  useQuery({
    queryKey: ['registration', 'current'],
    queryFn: ({ signal }) => registrationApi.openaiAvailable({}, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.current?.state === 'registering' || data?.current?.state === 'draft' ? POLL_INTERVAL_MS : false),
  })
export const useRegistrations = () =>
  useQuery({ queryKey: ['registration', 'list'], queryFn: async ({ signal }) => (await registrationApi.openaiList({ pageSize: 100 }, { signal })).rowList })

export function refreshRegistrations(): void {
  void queryClient.invalidateQueries({ queryKey: ['registration'] })
}

/** Refreshes the list and the balance after an order ended. */
export function refreshAfterRegistration(): void {
  void queryClient.invalidateQueries({ queryKey: ['registration', 'list'] })
  void queryClient.invalidateQueries({ queryKey: ['wallet'] })
}
