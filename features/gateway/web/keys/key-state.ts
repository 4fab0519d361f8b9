import { parseUsd, computeShareMillionths } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { ApiKeyRow } from '../../contract.ts'
import { toLastDay } from './limits-form.ts'

const DAY_MS = 86_400_000
const IDLE_DAYS = 90
const SOON_DAYS = 30

export type ApiKeyState =
  | { readonly kind: 'active' | 'deleted' | 'disabled' | 'paused' | 'rotating' | 'used' | 'nearly' }
  | { readonly kind: 'expired' | 'expires'; readonly day: string }
  | { readonly kind: 'idle'; readonly days: number }

/** Used share of a budget, from 0 on. */
export const computeBudgetShare = (used: string, of: string): number => computeShareMillionths(parseUsd(used), parseUsd(of)) / 1_000_000

/** The most important state of a key: the reason it is blocked, else an upcoming change. */
export function resolveApiKeyState({ status, limits, use, rotation, lastUseAt, createdAt }: ApiKeyRow, now: number): ApiKeyState {
  if (status !== 'active') return { kind: status }
  const ends = limits?.expiresAt == null ? undefined : Date.parse(limits.expiresAt)
  if (ends !== undefined && ends <= now) return { kind: 'expired', day: toLastDay(limits!.expiresAt!) }
  const shares = [
    limits?.dayBudget == null ? 0 : computeBudgetShare(use?.dayAmount ?? '0', limits.dayBudget),
    limits?.monthBudget == null ? 0 : computeBudgetShare(use?.monthAmount ?? '0', limits.monthBudget),
  ]
  const share = Math.max(...shares)
  if (share >= 1) return { kind: 'used' }
  if (rotation) return { kind: 'rotating' }
  if (share >= 0.8) return { kind: 'nearly' }
  const idle = Math.floor((now - Date.parse(lastUseAt ?? createdAt)) / DAY_MS)
  if (idle >= IDLE_DAYS) return { kind: 'idle', days: idle }
  if (ends !== undefined && ends - now < SOON_DAYS * DAY_MS) return { kind: 'expires', day: toLastDay(limits!.expiresAt!) }
  return { kind: 'active' }
}

/** Shortest unambiguous form of a time: 22:35 today, 11-20 this year, the full date before that. */
export function formatKeyTime(at: string, now: number): { readonly day: 'today' | 'yesterday' | 'other'; readonly text: string } {
  const [day, today] = [toShanghaiDay(Date.parse(at)), toShanghaiDay(now)]
  const time = new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(11, 16)
  if (day === today) return { day: 'today', text: time }
  if (day === toShanghaiDay(now - DAY_MS)) return { day: 'yesterday', text: time }
  return { day: 'other', text: day.slice(0, 4) === today.slice(0, 4) ? day.slice(5) : day }
}
