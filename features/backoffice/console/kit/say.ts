import { useMemo } from 'react'
import { shanghaiTime } from '#platform/shared/time.ts'
import { defineTexts, wordsOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { useLang } from '#platform/web/i18n.ts'
import { movementOf, movementTitle } from '#features/wallet/contract-movements.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import en from '../messages/words.en.json' with { type: 'json' }
import zh from '../messages/words.zh.json' with { type: 'json' }

/** Labels for the server's names: commands, figures, states. A name without a label is shown as is. */
export const wordTexts = defineTexts(zh, en)

type Fact = string | number | boolean | null

const WORDS = {
  action: wordsOf(wordTexts, 'action_'),
  command: wordsOf(wordTexts, 'command_'),
  fact: wordsOf(wordTexts, 'fact_'),
  field: wordsOf(wordTexts, 'field_'),
  level: wordsOf(wordTexts, 'level_'),
  permission: wordsOf(wordTexts, 'permission_'),
  reason: wordsOf(wordTexts, 'reason_'),
  refusal: wordsOf(wordTexts, 'refusal_'),
  role: wordsOf(wordTexts, 'role_'),
  state: wordsOf(wordTexts, 'state_'),
  subject: wordsOf(wordTexts, 'subject_'),
  value: wordsOf(wordTexts, 'value_'),
}

function wordOf(lang: Lang, of: keyof typeof WORDS, name: string, fallback = name): string {
  return WORDS[of](lang, name) ?? fallback
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

export function sayIn(lang: Lang) {
  /** `name`: name of the figure; decides if a whole number is an amount of money. */
  const value = (fact: Fact, name?: string): string => {
    if (fact === null || fact === '') return '—'
    if (typeof fact === 'boolean') return wordOf(lang, 'value', String(fact))
    if (typeof fact === 'number') return String(fact)
    if (name === 'template') return wordOf(lang, 'action', fact)
    if (AMOUNT.test(fact) || (name !== undefined && MONEY.has(name) && /^-?\d{1,10}$/.test(fact))) return usdDisplay(fact)
    if (ISO.test(fact)) return shanghaiTime(new Date(fact)).slice(0, 16)
    return wordOf(lang, 'value', fact, movementOf(fact) ? movementTitle(lang, fact, true) : fact)
  }
  const fact = (name: string) => wordOf(lang, 'fact', name, wordOf(lang, 'field', name))
  // audit rows also hold rates and amounts in a channel's currency, not only dollars
  const dataValue = (given: unknown, name: string): string => {
    if (name === 'name' && typeof given === 'string') return wordOf(lang, 'command', given)
    if (name === 'level' && typeof given === 'string') return wordOf(lang, 'level', given).replace(/[。.]$/, '')
    if (name === 'reasonCode' && typeof given === 'string') return wordOf(lang, 'reason', given)
    if (name === 'roles' && Array.isArray(given)) return given.map((one) => wordOf(lang, 'role', String(one))).join(', ')
    if (Array.isArray(given) && given.every((one) => typeof one !== 'object')) return given.length ? given.map((one) => dataValue(one, name)).join(', ') : '—'
    if (typeof given === 'object' && given !== null) return JSON.stringify(given)
    return typeof given === 'string' && AMOUNT.test(given) && !MONEY.has(name) ? given : value((given ?? null) as Fact, name)
  }
  return {
    value,
    /** The name of a figure in a preview. */
    fact,
    /** Data of an audit row as pairs of label and value; nested values stay as stored. */
    data: (data: Readonly<Record<string, unknown>>) => Object.entries(data).map(([name, given]) => [fact(name), dataValue(given, name)] as const),
    command: (name: string) => wordOf(lang, 'command', name),
    state: (name: string) => wordOf(lang, 'state', name),
    reason: (code: string) => wordOf(lang, 'reason', code),
    role: (name: string) => wordOf(lang, 'role', name),
    permission: (name: string) => wordOf(lang, 'permission', name),
    field: (name: string) => wordOf(lang, 'field', name),
    action: (name: string) => wordOf(lang, 'action', name),
    /** Reason of a refusal, by error name. */
    refusal: (name: string) => wordOf(lang, 'refusal', name),
    level: (name: string) => wordOf(lang, 'level', name),
    /** `user:usr_1` with its kind as a label; a singleton such as `system:system` is the label alone. */
    subject: (subject: string) => {
      const at = subject.indexOf(':')
      const [kind, id] = [subject.slice(0, at), subject.slice(at + 1)]
      return at < 0 ? wordOf(lang, 'subject', subject) : `${wordOf(lang, 'subject', kind)}${kind === id ? '' : ` ${id}`}`
    },
  }
}
export type Say = ReturnType<typeof sayIn>

export function useSay(): Say {
  const lang = useLang()
  return useMemo(() => sayIn(lang), [lang])
}
