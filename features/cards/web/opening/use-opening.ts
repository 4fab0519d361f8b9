import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { OpeningFlow } from '#features/identity/contract.ts'
import { OPENING_STEPS } from '#features/identity/contract-words.ts'
import type { OpeningStep } from '#features/identity/contract-words.ts'
import { flowApi } from './opening-api.ts'

const FLOW = ['identity', 'flow'] as const

export function useOpeningFlow() {
  return useQuery({ queryKey: FLOW, queryFn: ({ signal }) => flowApi.openingFlow({}, { signal }), staleTime: 5_000 })
}

/** Every step returns the whole flow, which replaces the cached one. */
export function useSetOpeningFlow(): (flow: OpeningFlow) => void {
  const cache = useQueryClient()
  return useCallback((flow) => void cache.setQueryData(FLOW, flow), [cache])
}

export function useRefreshOpeningFlow(): () => Promise<void> {
  const cache = useQueryClient()
  return useCallback(() => cache.invalidateQueries({ queryKey: FLOW }), [cache])
}

export const indexOfStep = (step: OpeningStep): number => OPENING_STEPS.indexOf(step)
/** The deposit has no face check: its line stays, crossed by none. */
export const isStepBefore = (a: OpeningStep, b: OpeningStep): boolean => indexOfStep(a) < indexOfStep(b)
