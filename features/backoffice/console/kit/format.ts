import { useMemo } from 'react'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { defineTexts, createTextLookup } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { useLang } from '#platform/web/i18n.ts'
import { findMovement, formatMovementTitle } from '#features/wallet/contract-movements.ts'
import { displayUsd } from '#platform/web/money.tsx'
import en from '../messages/words.en.json' with { type: 'json' }
import zh from '../messages/words.zh.json' with { type: 'json' }

/** Labels for the server's names: commands, figures, states. A name without a label is shown as is. */
export const wordTexts = defineTexts({ zh, en })

type FigureValue = string | number | boolean | null

const TEXTS_BY_KIND = {
  action: createTextLookup(wordTexts, 'action_'),
  command: createTextLookup(wordTexts, 'command_'),
  fact: createTextLookup(wordTexts, 'fact_'),
  field: createTextLookup(wordTexts, 'field_'),
  level: createTextLookup(wordTexts, 'level_'),
  permission: createTextLookup(wordTexts, 'permission_'),
  reason: createTextLookup(wordTexts, 'reason_'),
  refusal: createTextLookup(wordTexts, 'refusal_'),
  role: createTextLookup(wordTexts, 'role_'),
  state: createTextLookup(wordTexts, 'state_'),
  subject: createTextLookup(wordTexts, 'subject_'),
  value: createTextLookup(wordTexts, 'value_'),
}

function findWord(lang: Lang, of: keyof typeof TEXTS_BY_KIND, { name, fallback = name }: { readonly name: string; readonly fallback?: string }): string {
  return TEXTS_BY_KIND[of](lang, name) ?? fallback
}

const AMOUNT = /^-?\d{1,10}\.\d{1,9}$/
/** Names of the figures that are in dollars. */
const MONEY = new Set([
  'amount',
  'available',
  'held',
  'refundable',
  'granted',
  'debt',
  'total',
  'balance',
  'budget',
  'before',
  'after',
  'fee',
  'paid',
  'charged',
  'returned',
  'cardTaken',
  'invoiceable',
])
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export function createFormatter(lang: Lang) {
  /** `name`: name of the figure; decides if a whole number is an amount of money. */
  const value = (fact: FigureValue, name?: string): string => {
    if (fact === null || fact === '') return '—'
    if (typeof fact === 'boolean') return findWord(lang, 'value', { name: String(fact) })
    if (typeof fact === 'number') return String(fact)
    if (name === 'template') return findWord(lang, 'action', { name: fact })
    if (AMOUNT.test(fact) || (name !== undefined && MONEY.has(name) && /^-?\d{1,10}$/.test(fact))) return displayUsd(fact)
    if (ISO.test(fact)) return toShanghaiTime(new Date(fact)).slice(0, 16)
    return findWord(lang, 'value', { name: fact, fallback: findMovement(fact) ? formatMovementTitle(lang, fact, { isIn: true }) : fact })
  }
  const fact = (name: string) => findWord(lang, 'fact', { name, fallback: findWord(lang, 'field', { name }) })
  // Audit rows also hold rates and amounts in a channel's currency, not only dollars
  const dataValue = (given: unknown, name: string): string => {
    if (name === 'name' && typeof given === 'string') return findWord(lang, 'command', { name: given })
    if (name === 'level' && typeof given === 'string') return findWord(lang, 'level', { name: given }).replace(/[。.]$/, '')
    if (name === 'reasonCode' && typeof given === 'string') return findWord(lang, 'reason', { name: given })
    if (name === 'roles' && Array.isArray(given)) return given.map((one) => findWord(lang, 'role', { name: String(one) })).join(', ')
    if (Array.isArray(given) && given.every((one) => typeof one !== 'object')) return given.length ? given.map((one) => dataValue(one, name)).join(', ') : '—'
    if (typeof given === 'object' && given !== null) return JSON.stringify(given)
    return typeof given === 'string' && AMOUNT.test(given) && !MONEY.has(name) ? given : value((given ?? null) as FigureValue, name)
  }
  return {
    value,
    /** The name of a figure in a preview. */
    fact,
    /** Data of an audit row as pairs of label and value; nested values stay as stored. */
    data: (data: Readonly<Record<string, unknown>>) => Object.entries(data).map(([name, given]) => [fact(name), dataValue(given, name)] as const),
    command: (name: string) => findWord(lang, 'command', { name }),
    state: (name: string) => findWord(lang, 'state', { name }),
    reason: (code: string) => findWord(lang, 'reason', { name: code }),
    role: (name: string) => findWord(lang, 'role', { name }),
    permission: (name: string) => findWord(lang, 'permission', { name }),
    field: (name: string) => findWord(lang, 'field', { name }),
    action: (name: string) => findWord(lang, 'action', { name }),
    /** Reason of a refusal, by error name. */
    refusal: (name: string) => findWord(lang, 'refusal', { name }),
    level: (name: string) => findWord(lang, 'level', { name }),
    /** `user:usr_1` with its kind as a label; a singleton such as `system:system` is the label alone. */
    subject: (subject: string) => {
      const at = subject.indexOf(':')
      const [kind, id] = [subject.slice(0, at), subject.slice(at + 1)]
      return at < 0 ? findWord(lang, 'subject', { name: subject }) : `${findWord(lang, 'subject', { name: kind })}${kind === id ? '' : ` ${id}`}`
    },
  }
}
export type ConsoleFormatter = ReturnType<typeof createFormatter>

export function useConsoleFormatter(): ConsoleFormatter {
  const lang = useLang()
  return useMemo(() => createFormatter(lang), [lang])
}
