import type { useTexts } from '#platform/web/i18n.ts'
import type { numberTexts } from '../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export type NumberTranslate = ReturnType<typeof useTexts<TextKeyOf<typeof numberTexts>>>

/** Groups as people read numbers aloud: +1 213 555 0142. */
export function formatPhoneNumber(number: string): string {
  const [, country = '', rest = ''] = /^(\+(?:1|7|[2-9]\d))(\d+)$/.exec(number) ?? []
  if (!country) return number
  const groups = rest.length === 10 ? [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6)] : (rest.match(/\d{1,4}/g) ?? [])
  return [country, ...groups].join(' ')
}

/** 739204 → 739 204; four, five and eight digits stay readable too. */
export function formatMessageCode(code: string): string {
  if (!/^\d{6,}$/.test(code)) return code
  return code.replace(/^(\d{3})(\d{3})$/, '$1 $2').replace(/^(\d{4})(\d{3,4})$/, '$1 $2')
}

export function formatWaitSeconds(t: NumberTranslate, seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return t('minutesSeconds', { minutes: String(Math.floor(whole / 60)), seconds: String(whole % 60) })
}
