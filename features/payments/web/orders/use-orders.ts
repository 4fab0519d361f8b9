import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLang } from '#platform/web/i18n.ts'
import type { OrderDetail } from '../../contract-orders.ts'
import type { OrderFilter, OrderState } from '../../words.ts'
import { ordersApi } from '../pages-api.ts'

/** Prefix of all order query keys, so that a change of an order invalidates them together. */
export const ORDERS = ['payments', 'orders'] as const
const PAGE_SIZE = 20

export interface OrderListFilter {
  readonly orderType?: number
  readonly status?: OrderFilter
  readonly last4?: string
  readonly from?: string
  readonly to?: string
}

export function useOrders(wish: OrderListFilter) {
  const lang = useLang()
  return useInfiniteQuery({
    queryKey: [...ORDERS, 'list', lang, wish],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => ordersApi.orderList({ ...wish, pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** States that will still change without user action. */
const MOVING: readonly OrderState[] = ['created', 'paying', 'unknown', 'paid', 'refunding', 'integrity_failure', 'disputed']
const FIRST_MS = 2000
const LAST_MS = 60_000

/** One order; refetched while it can change, at growing intervals, and at once when the page becomes visible again. */
export function usePaymentOrder(orderNo: string) {
  const lang = useLang()
  return useQuery({
    queryKey: [...ORDERS, 'one', lang, orderNo],
    queryFn: ({ signal }) => ordersApi.orderDetail({ orderNo }, { signal }),
    staleTime: 0,
    refetchInterval: (query) => (isMoving(query.state.data) ? Math.min(LAST_MS, FIRST_MS * 1.25 ** query.state.dataUpdateCount) : false),
  })
}

export function isMoving(detail: OrderDetail | undefined): boolean {
  return detail !== undefined && MOVING.includes(detail.order.state)
}
