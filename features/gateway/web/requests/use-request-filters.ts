import { parseUsd } from '#platform/shared/money.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { requestStates, type RequestState } from '../../contract-requests.ts'
import { useRange } from '../use-range.ts'

export const IN_PROGRESS = 'in_progress'

/** All filters of the list, in the URL. */
export function useRequestFilters() {
  const days = useRange()
  const [asked, setState] = useQueryParam<string>('state', '')
  const [keyId, setKeyId] = useQueryParam<string>('key', '')
  const [model, setModel] = useQueryParam<string>('model', '')
  const [typed, setTyped] = useQueryParam<string>('find', '')
  const state = requestStates.find((one): one is RequestState => one === asked)
  const minAmount = parseFilterAmount(typed)
  const find = minAmount === undefined && typed.trim() !== '' ? typed.trim() : undefined
  const narrow = { ...days.range, ...(keyId ? { keyId } : {}), ...(model ? { model } : {}) }
  return {
    days,
    state,
    /** True for calls under way only. */
    isOpenOnly: asked === IN_PROGRESS,
    setState,
    keyId,
    setKeyId,
    model,
    setModel,
    typed,
    setTyped,
    find,
    minAmount,
    /** Filters that the counts support: ranges, keys and models. */
    narrow,
    wish: { ...narrow, ...(state ? { state } : {}), ...(find ? { find } : {}), ...(minAmount ? { minAmount } : {}) },
  }
}
export type RequestFilters = ReturnType<typeof useRequestFilters>

/** Amount in the typed text, such as `$0.05` or `0.05`; undefined otherwise. Never matches an id. */
export function parseFilterAmount(text: string): string | undefined {
  const amount = /^\s*[$≥>=]*\s*(\d{1,9}(?:\.\d{1,9})?)\s*$/.exec(text)?.[1]
  return amount !== undefined && parseUsd(amount) > 0n ? amount : undefined
}
