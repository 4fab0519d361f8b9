import { useLang } from '#platform/web/i18n.ts'
import { serviceTexts } from '../services/texts.ts'
import { wordsOf } from '#platform/shared/texts.ts'

const signalWords = wordsOf(serviceTexts, 'signal_')

/** What a signal is called; one without a word is shown as it is. */
export function useSignal(): (name: string) => string {
  const lang = useLang()
  return (name) => signalWords(lang, name) ?? name
}
