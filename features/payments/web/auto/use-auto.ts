import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { createApi } from '#platform/web/calls/api.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { toast } from '#ui/layers/toast.ts'
import { autoContract } from '../../contract-auto.ts'
import type { AutoView } from '../../contract-auto.ts'
import { paymentErrors } from '../../errors.ts'
import { paymentTexts } from '../../texts.ts'

export const autoApi = createApi(autoContract, { alone: true, errors: paymentErrors, texts: paymentTexts })

const KEY = ['payments', 'auto']
const WAITING_MS = 3000
const UNDER_WAY_MS = 5000
/** A charge may begin at any time. */
const ACTIVE_MS = 15_000

/** State of auto recharge; polled while the signing page is open, a charge is in progress, or the plan is active. */
export function useAuto() {
  const client = useQueryClient()
  const auto = useQuery({
    queryKey: KEY,
    enabled: useSignedIn(),
    queryFn: ({ signal }) =>
      client.getQueryData<AutoView>(KEY)?.state === 'signing' ? autoApi.checkAuto({}, { signal }) : autoApi.autoRecharge({}, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'signing' ? WAITING_MS : data?.charges.some(isLive) ? UNDER_WAY_MS : data?.state === 'active' ? ACTIVE_MS : false,
  })
  const latest = auto.data?.charges.find(({ state }) => state === 'paid')?.orderNo
  const seen = useRef<string | undefined>(undefined)
  const isHere = auto.data !== undefined
  useEffect(() => {
    if (!isHere) return
    // Charges from before the page opened are already included in its balance.
    if (seen.current !== undefined && seen.current !== (latest ?? '')) {
      void client.invalidateQueries({ queryKey: ['wallet'] })
      void client.invalidateQueries({ queryKey: ['payments', 'records'] })
    }
    seen.current = latest ?? ''
  }, [client, isHere, latest])
  return auto
}

const isLive = ({ state }: AutoView['charges'][number]) => state === 'announced' || state === 'charging'

/** Mutation that returns the new state. */
export function useAutoAction(call: () => Promise<AutoView>, done?: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: (view) => {
      client.setQueryData(KEY, view)
      if (done) toast.success(done)
    },
    onError: (error) => {
      toast.error(isApiError(error) ? error.message : String(error))
      void client.invalidateQueries({ queryKey: KEY })
    },
  })
}

export function useSetAuto(): (view: AutoView) => void {
  const client = useQueryClient()
  return (view) => client.setQueryData(KEY, view)
}
