import { useLang } from '#platform/web/i18n.ts'
import { serviceTexts } from '../services/texts.ts'

/** What a signal is called; one without a word is shown as it is. */
export function useSignal(): (name: string) => string {
  const texts: Readonly<Record<string, string>> = serviceTexts[useLang()]
  return (name) => texts[`signal_${name}`] ?? name
}
