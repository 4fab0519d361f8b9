import { useLang } from '#platform/web/i18n.ts'
import { moneyTexts } from './texts.ts'

/** Words by a prefix and a name of the server's: `state_paid`; the name itself where there is none. */
export function useMoneyWord(): (prefix: string, name: string | number) => string {
  const lang = useLang()
  const words = moneyTexts[lang] as Readonly<Record<string, string>>
  return (prefix, name) => words[`${prefix}_${name}`] ?? String(name)
}
