import { useQuery } from '@tanstack/react-query'
import { profileApi } from '../security/api.ts'

export const PREFERENCES = ['account', 'preferences']

/** Invoice details and mail choices. */
export function usePreferences() {
  return useQuery({ queryKey: PREFERENCES, queryFn: ({ signal }) => profileApi.preferences({}, { signal }) })
}
