import { showUsd } from '#platform/shared/show-money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { keyLimits, modelPattern, network } from '../../contract-limits.ts'
import type { KeyLimitsInput, KeyLimitsView } from '../../contract-limits.ts'

/** Limits of a key as typed; an empty field means no limit. */
export interface LimitsForm {
  readonly dayBudget: string
  readonly monthBudget: string
  readonly requestsPerMinute: string
  readonly tokensPerMinute: string
  readonly concurrency: string
  /** Last Shanghai day on which the key works. */
  readonly lastDay: string
  readonly models: string
  readonly networks: string
  readonly onDisconnect: 'abort' | 'drain'
}
export type LimitsField = keyof LimitsForm

export const EMPTY_LIMITS_FORM: LimitsForm = {
  dayBudget: '',
  monthBudget: '',
  requestsPerMinute: '',
  tokensPerMinute: '',
  concurrency: '',
  lastDay: '',
  models: '',
  networks: '',
  onDisconnect: 'abort',
}

const DAY_MS = 86_400_000
const toFieldText = (value: number | null) => (value === null ? '' : String(value))

/** Last day of a key, which works until the end of that day. An expiry in the middle of a day counts as that day. */
export const toLastDay = (expiresAt: string) => toShanghaiDay(Date.parse(expiresAt) - 1)
const toExpiry = (day: string) => new Date(Date.parse(`${day}T00:00:00+08:00`) + DAY_MS).toISOString()

export function toLimitsForm(limits: KeyLimitsView | null): LimitsForm {
  if (limits === null) return EMPTY_LIMITS_FORM
  return {
    dayBudget: limits.dayBudget === null ? '' : showUsd(limits.dayBudget),
    monthBudget: limits.monthBudget === null ? '' : showUsd(limits.monthBudget),
    requestsPerMinute: toFieldText(limits.requestsPerMinute),
    tokensPerMinute: toFieldText(limits.tokensPerMinute),
    concurrency: toFieldText(limits.concurrency),
    lastDay: limits.expiresAt === null ? '' : toLastDay(limits.expiresAt),
    models: limits.models.join('\n'),
    networks: limits.networks.join('\n'),
    onDisconnect: limits.onDisconnect,
  }
}

export const isSameLimitsForm = (one: LimitsForm, other: LimitsForm) => (Object.keys(one) as LimitsField[]).every((field) => one[field] === other[field])

const splitWords = (text: string) => text.split(/[\s,，、;；]+/).filter(Boolean)
const parseWhole = (text: string) => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)
const parseMoney = (text: string) => (text.trim() === '' ? null : text.trim().replaceAll(',', ''))

/** Limits to send, or the first invalid field. `before`: an expiry in the middle of a day is kept while its day is unchanged. */
export function parseLimitsForm(
  form: LimitsForm,
  before: KeyLimitsView | null,
): { readonly limits: KeyLimitsInput } | { readonly wrong: LimitsField; readonly word?: string } {
  const models = splitWords(form.models)
  const badModel = models.find((word) => !modelPattern.safeParse(word).success)
  if (badModel !== undefined) return { wrong: 'models', word: badModel }
  const networks = splitWords(form.networks)
  const badNetwork = networks.find((word) => !network.safeParse(word).success)
  if (badNetwork !== undefined) return { wrong: 'networks', word: badNetwork }
  const kept = before?.expiresAt !== null && before !== null && toLastDay(before.expiresAt) === form.lastDay ? before.expiresAt : undefined
  const parsed = keyLimits.safeParse({
    expiresAt: form.lastDay === '' ? null : (kept ?? toExpiry(form.lastDay)),
    models,
    networks,
    requestsPerMinute: parseWhole(form.requestsPerMinute),
    tokensPerMinute: parseWhole(form.tokensPerMinute),
    concurrency: parseWhole(form.concurrency),
    dayBudget: parseMoney(form.dayBudget),
    monthBudget: parseMoney(form.monthBudget),
    onDisconnect: form.onDisconnect,
  })
  if (parsed.success) return { limits: parsed.data }
  const at = String(parsed.error.issues[0]?.path[0] ?? 'models')
  return { wrong: at === 'expiresAt' ? 'lastDay' : (at as LimitsField) }
}
